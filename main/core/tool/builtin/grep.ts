import { z } from 'zod';
import { AppError } from '../../../../shared/error';
import { defineTool } from '../define';
import type { ToolContext } from '../types';
import { ALL_MODES, shownName, shownPath } from './lib/access';
import { compileGlob } from './lib/glob-pattern';
import { MatchReader, MAX_COUNTED, type FoundLine } from './lib/match-reader';
import { missingFile } from './lib/missing-file';
import { complaintOf, oddOutput, ripgrep, searchRoot } from './lib/ripgrep';

/** H13: what one call shows unless told otherwise. */
const DEFAULT_RESULTS = 30;
const MAX_RESULTS = 200;
const MAX_CONTEXT = 10;
const TEXT_CHARS = 15_000;

const Input = z.object({
  pattern: z.string().min(1),
  glob: z.string().optional(),
  path: z.string().optional(),
  max_results: z.int().min(1).max(MAX_RESULTS).optional(),
  literal: z.boolean().optional(),
  case_sensitive: z.boolean().optional(),
  context: z.int().min(0).max(MAX_CONTEXT).optional(),
  multiline: z.boolean().optional(),
});
type Input = z.output<typeof Input>;

/**
 * ripgrep's own globs would bring ignored files back, so a glob narrows by file type (which can't) and the whole of it is
 * checked on what is found.
 */
function globArguments(glob: string | undefined): {
  args: string[];
  accepts: ((path: string) => boolean) | null;
} {
  if (glob === undefined) return { args: [], accepts: null };
  if (glob.startsWith('!')) {
    compileGlob(glob.slice(1));
    return { args: [`--glob=${glob}`], accepts: null };
  }
  const accepts = compileGlob(glob);
  const name = glob.slice(glob.lastIndexOf('/') + 1);
  const simple = /^[\w.*?{},@+-]+$/.test(name) && !name.includes('**') && balanced(name);
  if (!simple) return { args: [], accepts };
  return {
    args: [`--type-add=wanted:${name}`, '--type=wanted'],
    accepts: glob.includes('/') ? accepts : null,
  };
}

const balanced = (name: string): boolean =>
  name.split('{').length === name.split('}').length && !/^[^{]*\}/.test(name);

function searchArguments(input: Input): string[] {
  const caseMode =
    input.case_sensitive === undefined
      ? '--smart-case'
      : input.case_sensitive
        ? '--case-sensitive'
        : '--ignore-case';
  return [
    '--line-number',
    '--column',
    '--with-filename',
    '--no-heading',
    '--no-context-separator',
    '--binary',
    caseMode,
    ...(input.literal === true ? ['--fixed-strings'] : []),
    ...(input.multiline === true ? ['--multiline', '--multiline-dotall'] : []),
    ...(input.context === undefined ? [] : [`--context=${input.context}`]),
  ];
}

async function search(
  input: Input,
  context: ToolContext,
): Promise<{ reader: MatchReader; complaint: string }> {
  const { relative, exists } = await context.files.resolve(input.path ?? '');
  if (!exists) throw await missingFile(relative, context);
  const { args, accepts } = globArguments(input.glob);
  const prefix = relative === '' ? '' : `${relative}/`;
  const fits =
    accepts === null ? null : (path: string) => accepts(path) || accepts(withoutPrefix(path, prefix));
  const reader = new MatchReader(fits);
  const all = [...searchArguments(input), ...args, `--regexp=${input.pattern}`, '--', searchRoot(relative)];
  const end = await ripgrep(all, context, (chunk) => reader.push(chunk));
  reader.end();
  const complaint = complaintOf(end);
  if (reader.matches > 0 || reader.binaries.length > 0) return { reader, complaint };
  if (complaint !== '') throw refused(complaint);
  if (reader.isOdd) throw oddOutput();
  return { reader, complaint };
}

const withoutPrefix = (path: string, prefix: string): string =>
  path.startsWith(prefix) ? path.slice(prefix.length) : path;

function refused(complaint: string): AppError {
  const pattern = /regex parse error|error parsing|unclosed|look-around|repetition/i.test(complaint);
  return new AppError(pattern ? 'bad_argument' : 'io_failed', complaint.replace(/^rg: /, ''), {
    audience: 'model',
    hint: pattern
      ? 'Escape the special characters, or set literal: true to search for the text as it is.'
      : 'Check the path, narrow the search with path or glob, or search with `grep -rn` by run_command.',
  });
}

/** Files that a rule keeps from being read are kept from being searched, too (sec-B03). */
async function permitted(
  { lines, binaries }: Pick<MatchReader, 'lines' | 'binaries'>,
  context: ToolContext,
): Promise<{ lines: FoundLine[]; binaries: string[]; hidden: number }> {
  const permits = context.permits?.bind(context);
  if (permits === undefined) return { lines, binaries, hidden: 0 };
  const verdicts = new Map<string, boolean>();
  for (const path of [...lines.map((line) => line.path), ...binaries]) {
    if (!verdicts.has(path)) verdicts.set(path, await permits(path));
  }
  const isShown = (path: string): boolean => verdicts.get(path) === true;
  return {
    lines: lines.filter(({ path }) => isShown(path)),
    binaries: binaries.filter(isShown),
    hidden: [...verdicts.values()].filter((verdict) => !verdict).length,
  };
}

const hiddenWords = (count: number): string =>
  count === 1
    ? '(1 file is not shown because a rule denies or asks about reading it)'
    : `(${count} files are not shown because a rule denies or asks about reading them)`;

/** Lines in the order of path and line: ripgrep's threads finish in any order. */
function inOrder(lines: FoundLine[]): FoundLine[] {
  return [...lines].sort((a, b) => (a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1));
}

function format(lines: FoundLine[], limit: number): { text: string[]; shown: number } {
  const text: string[] = [];
  let shown = 0;
  let size = 0;
  let file = '';
  for (const { path, line, kind, text: content } of lines) {
    // Context after the last match that fits is still of use; the next match is not.
    if ((kind === 'match' && shown === limit) || size > TEXT_CHARS) break;
    if (path !== file) {
      text.push(shownName(path));
      file = path;
    }
    text.push(`${line}${kind === 'match' ? ':' : '-'} ${content}`);
    size += content.length + 8;
    if (kind === 'match') shown += 1;
  }
  return { text, shown };
}

export const grep = defineTool({
  name: 'grep',
  effect: 'read',
  describe: `Search file contents with a regular expression (Rust syntax; literal: true for plain text). Lower-case patterns ignore case unless case_sensitive is given. Shows ${DEFAULT_RESULTS} matches and the total; ignored files are left out unless path names them.`,
  input: Input,
  modes: ALL_MODES,
  subject: ({ path }) => ({ paths: [path ?? ''] }),
  label: ({ pattern, glob, path }) => {
    const where = glob ?? (path === undefined ? undefined : shownPath(path));
    return `Grepped \`${pattern.replace(/\s+/g, ' ').slice(0, 60)}\`${where === undefined ? '' : ` in \`${where}\``}`;
  },
  run: async (input, context) => {
    const { reader, complaint } = await search(input, context);
    const { lines, binaries, hidden } = await permitted(reader, context);
    const { text, shown } = format(inOrder(lines), input.max_results ?? DEFAULT_RESULTS);
    const total = reader.matches >= MAX_COUNTED ? `more than ${MAX_COUNTED}` : String(reader.matches);
    const summary =
      hidden > 0
        ? hiddenWords(hidden)
        : shown < reader.matches
          ? `(${shown} of ${total} matches shown; narrow with path or glob, or raise max_results)`
          : `(${total} ${reader.matches === 1 ? 'match' : 'matches'})`;
    return {
      text: [
        ...text,
        ...binaries.map((name) => `${shownName(name)}: binary file matches`),
        reader.matches === 0 && reader.binaries.length === 0 ? '0 matches' : summary,
        ...(complaint === '' ? [] : [`(not searched: ${complaint.split('\n')[0] ?? ''})`]),
      ].join('\n'),
    };
  },
});
