import { readFile, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { RULES_FILE_CHARS, RULES_TOTAL_CHARS } from '../limits';

/** One rules file that is in the prompt, as the window lists it. */
export interface ActiveRules {
  /** Relative to the project folder; may start with `../` up to the git root. */
  path: string;
  text: string;
  chars: number;
  cut: boolean;
  /** Invisible characters that were taken out before the model could see them (sec-A27). */
  hiddenCharacters: number;
}

/** Read in this order in each folder; the names are exact (conventions of agents.md and Claude Code). */
const RULES_FILES = ['AGENTS.md', 'CLAUDE.md', '.claude/CLAUDE.md'] as const;

/** Bidi controls, zero-width characters, tag characters and the Hangul filler: nobody writes rules with them. */
const HIDDEN =
  /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\u3164\ufeff]|[\u{e0000}-\u{e007f}]/gu;

/** Rules are text that people wrote; a file beyond this is something else. */
const MAX_RULES_BYTES = 1_000_000;

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** Folders from the git root (or the project folder when there is none) down to the project folder. */
async function rulesFolders(projectRoot: string): Promise<string[]> {
  const chain: string[] = [];
  for (let folder = projectRoot; ; folder = dirname(folder)) {
    chain.unshift(folder);
    if (await exists(join(folder, '.git'))) return chain;
    if (dirname(folder) === folder) return [projectRoot];
  }
}

async function readRules(projectRoot: string, path: string, budget: number): Promise<ActiveRules | null> {
  const facts = await stat(path).catch(() => null);
  if (!facts?.isFile() || facts.size > MAX_RULES_BYTES) return null;
  const raw = await readFile(path, 'utf8').catch(() => null);
  if (raw === null) return null;
  const hiddenCharacters = raw.match(HIDDEN)?.length ?? 0;
  const clean = raw.replace(HIDDEN, '').trim();
  if (clean === '') return null;
  const limit = Math.min(RULES_FILE_CHARS, budget);
  const cut = clean.length > limit;
  const text = cut ? clean.slice(0, limit).toWellFormed() : clean;
  const shown = relative(projectRoot, path).split('\\').join('/');
  return { path: shown, text, chars: clean.length, cut, hiddenCharacters };
}

/**
 * AGENTS.md and CLAUDE.md from the git root down to the project folder, nearest last (X9). Files with the same text count
 * once (one is often a link to the other). Missing and unreadable files are left out.
 */
export async function loadRules(projectRoot: string): Promise<ActiveRules[]> {
  const active: ActiveRules[] = [];
  let budget = RULES_TOTAL_CHARS;
  for (const folder of await rulesFolders(projectRoot)) {
    for (const name of RULES_FILES) {
      const rules = await readRules(projectRoot, join(folder, name), budget);
      if (!rules || budget <= 0 || active.some((other) => other.text === rules.text)) continue;
      budget -= rules.text.length;
      active.push(rules);
    }
  }
  return active;
}

/** The rules as one block of the prompt; '' when there are none. */
export function formatRules(rules: readonly ActiveRules[]): string {
  if (rules.length === 0) return '';
  const parts = rules.map(
    (file) => `# ${file.path}\n${file.text}${file.cut ? `\n[cut: ${file.chars} characters in all]` : ''}`,
  );
  return [
    '<system-reminder>',
    'Rules of this project, written by its people. A nearer file outranks one further up; the user outranks both.',
    ...parts,
    '</system-reminder>',
  ].join('\n');
}
