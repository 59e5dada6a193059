import { readFile, realpath, stat } from 'node:fs/promises';
import { hiddenCharacters } from '../../approval/hidden-characters';
import { readFrontMatter, splitList, type FrontMatter } from '../../agent/front-matter';
import { RULES_FILE_CHARS } from '../../limits';
import { isInside } from '../../workspace/path-jail';
import type { RuleFile, RuleFormat, RuleScope } from './rule-file';
import { withImports } from './rule-imports';

/** Rules are text that people wrote; a file beyond this is something else. */
const MAX_RULES_BYTES = 1_000_000;

export interface RuleSource {
  /** Absolute, as found. */
  file: string;
  /** As people see it. */
  shown: string;
  origin: RuleFile['origin'];
  format: RuleFormat;
  /** Absolute folder that globs go by. */
  base: string;
  /** Real path that the file and its imports must stay in. */
  jail: string;
  /** Overrides what the front matter says. */
  scope?: RuleScope;
}

const empty = (source: RuleSource, problem: string): RuleFile => ({
  ...{
    path: source.shown,
    origin: source.origin,
    scope: 'manual',
    description: '',
    globs: [],
    base: source.base,
  },
  ...{ text: '', chars: 0, cut: false, hiddenCharacters: 0, imports: [], problems: [problem] },
});

function withoutHidden(text: string): { text: string; count: number } {
  const found = hiddenCharacters(text);
  if (found.length === 0) return { text, count: 0 };
  let clean = '';
  let last = 0;
  for (const { index } of found) {
    clean += text.slice(last, index);
    last = index + ((text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1);
  }
  return { text: clean + text.slice(last), count: found.length };
}

/** Several globs in one line, as Cursor and Copilot write them; braces keep their commas. */
const globList = (value: string | string[] | undefined): string[] => {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value.filter((glob) => glob !== '');
  return splitList(value.replace(/\{[^}]*\}/g, (group) => group.replaceAll(',', '\u0000'))).map((glob) =>
    glob.replaceAll('\u0000', ','),
  );
};

const EVERYTHING = new Set(['**', '**/*', '*']);

function scopeOf(
  format: RuleFormat,
  globs: readonly string[],
  always: boolean,
  description: string,
): RuleScope {
  if (format === 'plain') return 'always';
  if (always || globs.some((glob) => EVERYTHING.has(glob))) return 'always';
  if (globs.length > 0) return 'files';
  // Claude's rules without paths hold everywhere; Cursor's and Copilot's without globs are offered or left to the user.
  if (format === 'claude') return 'always';
  return description === '' ? 'manual' : 'offered';
}

function facts(format: RuleFormat, matter: FrontMatter | null) {
  const value = (key: string): string | string[] | undefined =>
    matter?.entries.find((entry) => entry.key.toLowerCase() === key)?.value;
  const text = (key: string): string => {
    const found = value(key);
    return typeof found === 'string' ? found : '';
  };
  const key = { plain: '', cursor: 'globs', claude: 'paths', copilot: 'applyto' }[format];
  const globs = key === '' ? [] : globList(value(key));
  const description = text('description');
  return { globs, description, scope: scopeOf(format, globs, text('alwaysapply') === 'true', description) };
}

/**
 * Reads one rules file: front matter apart, hidden characters taken out, imports put in, cut at the limit. Null when there is
 * no such file or nothing in it.
 */
export async function readRule(source: RuleSource): Promise<RuleFile | null> {
  const info = await stat(source.file).catch(() => null);
  if (!info?.isFile()) return null;
  const real = await realpath(source.file).catch(() => null);
  if (real === null) return null;
  if (!isInside(source.jail, real)) return empty(source, 'links to a file outside the folder of the rules');
  if (info.size > MAX_RULES_BYTES) return empty(source, 'larger than 1 MB');
  const raw = await readFile(real, 'utf8').catch(() => null);
  if (raw === null) return empty(source, 'can not be read');
  const matter = source.format === 'plain' ? null : readFrontMatter(raw);
  const { globs, description, scope } = facts(source.format, matter);
  const body = await withImports(matter?.body ?? raw, real, source.jail);
  const { text: clean, count } = withoutHidden(body.text);
  const whole = clean.trim();
  if (whole === '') return null;
  const cut = whole.length > RULES_FILE_CHARS;
  return {
    ...{ path: source.shown, origin: source.origin, scope: source.scope ?? scope, base: source.base },
    ...{ description: withoutHidden(description).text.slice(0, 300), globs, imports: body.imports },
    text: cut ? whole.slice(0, RULES_FILE_CHARS).toWellFormed() : whole,
    chars: whole.length,
    cut,
    hiddenCharacters: count,
    problems: [
      ...(matter?.problems ?? []).map(({ line, message }) => `line ${line}: ${message}`),
      ...body.problems,
    ],
  };
}
