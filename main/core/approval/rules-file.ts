import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { getNodeValue, parseTree, printParseErrorCode, type Node, type ParseError } from 'jsonc-parser';
import { Rule } from '../../../shared/model/approval';

/** The user's own file may do everything; a project's may only add `ask` and `deny` (sec-A05). */
export type RulesOwner = 'user' | 'project';

export interface RulesState {
  rules: readonly Rule[];
  /** What was wrong, each as one sentence with file and line. */
  problems: readonly string[];
}

export interface RulesFile {
  readonly path: string;
  readonly owner: RulesOwner;
  /** The rules as the file is now: read again when the file has changed. */
  read(): RulesState;
}

const MAX_BYTES = 1024 * 1024;
const MAX_RULES = 2000;
const EMPTY: RulesState = { rules: [], problems: [] };

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

function parseEntry(node: Node, owner: RulesOwner): { rule: Rule } | { problem: string } {
  const parsed = Rule.safeParse(getNodeValue(node));
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const field = issue?.path.join('.') ?? '';
    return {
      problem: `this rule is ignored: ${field === '' ? '' : `${field}: `}${issue?.message ?? 'not a rule'}`,
    };
  }
  if (owner === 'project' && parsed.data.effect === 'allow') {
    return {
      problem: 'this rule is ignored: a project may only add `ask` and `deny`, it cannot allow anything',
    };
  }
  return { rule: parsed.data };
}

/**
 * Reads the text of a rules file: a JSON list with comments. A bad entry is left out and reported. When the text itself is
 * broken, what it restricts is kept and what it allows is not, since it may mean something else than it says.
 */
export function parseRules(text: string, path: string, owner: RulesOwner): RulesState & { broken: boolean } {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true });
  const at = (offset: number, message: string): string => `${path}:${lineOf(text, offset)}: ${message}.`;
  const problems = errors
    .slice(0, 5)
    .map((error) => at(error.offset, `not valid JSON (${printParseErrorCode(error.error)})`));
  const broken = problems.length > 0;
  if (tree === undefined) return { ...EMPTY, broken: false };
  if (tree.type !== 'array') {
    const what =
      owner === 'project'
        ? 'only a list of `ask` and `deny` rules is read here'
        : 'a list of rules is expected';
    return { rules: [], problems: [...problems, at(tree.offset, what)], broken: true };
  }
  const rules: Rule[] = [];
  for (const node of (tree.children ?? []).slice(0, MAX_RULES)) {
    const entry = parseEntry(node, owner);
    if ('problem' in entry) problems.push(at(node.offset, entry.problem));
    else if (!broken || entry.rule.effect !== 'allow') rules.push(entry.rule);
  }
  return { rules, problems, broken };
}

function stampOf(path: string): string | null {
  try {
    // Mostly there is none, and making an error of that for every call costs more than the look.
    const facts = statSync(path, { throwIfNoEntry: false });
    return facts === undefined ? null : `${facts.mtimeMs} ${facts.ctimeMs} ${facts.size} ${facts.ino}`;
  } catch {
    return 'unreadable';
  }
}

function load(path: string, owner: RulesOwner, last: RulesState): RulesState {
  const restricting = last.rules.filter((rule) => rule.effect !== 'allow');
  const failed = (why: string): RulesState => ({ rules: restricting, problems: [`${path}: ${why}.`] });
  let text: string;
  try {
    if (statSync(path).size > MAX_BYTES) return failed('larger than 1 MB, so it is not read');
    text = readFileSync(path, 'utf8');
  } catch (error) {
    return failed(`it cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)})`);
  }
  const { rules, problems, broken } = parseRules(text.replace(/^\ufeff/, ''), path, owner);
  // Half-written files happen: until it reads well again, earlier restrictions stay in force.
  return { rules: broken ? [...restricting, ...rules] : rules, problems };
}

/**
 * A rules file that is looked at on every read and read again when it has changed (a stat costs microseconds, and no
 * watcher can miss an editor's rename). A missing file is an empty one.
 */
export function openRulesFile(path: string, owner: RulesOwner): RulesFile {
  let stamp: string | null = null;
  let state: RulesState = EMPTY;
  return {
    path,
    owner,
    read() {
      const now = stampOf(path);
      if (now === stamp) return state;
      state = now === null ? EMPTY : load(path, owner, state);
      stamp = now;
      return state;
    },
  };
}

/** Where a project may add `ask` and `deny` rules, and nothing else. */
export const openProjectRules = (root: string): RulesFile =>
  openRulesFile(join(root, '.lathe', 'rules.jsonc'), 'project');
