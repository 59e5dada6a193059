import type { Node, Parser } from 'web-tree-sitter';
import { shellParser } from './shell-parser';
import { innerCommands } from './shell-unwrap';
import { shellWord, type ShellWord } from './shell-words';

/** One simple command: a program and its words. */
export interface SimpleCommand {
  /** As written. */
  text: string;
  /** Words with quotes removed; see {@link ShellWord.value} for what is filled in. */
  argv: string[];
  /** Where it came from: written as such, or found inside a wrapper or `sh -c`. */
  wrapped: boolean;
  /** It reads the output of another command. */
  piped: boolean;
}

export interface ShellParse {
  /** Simple commands joined by `&&`, `||`, `;`, `|` or line breaks, in order; empty when the line is opaque. */
  parts: SimpleCommand[];
  /** Why the line can't be judged by rules, as "it has a variable"; null when it is made of plain words. */
  opaque: string | null;
  /** Every command found anywhere: parts, substitutions, sub-shells, wrapped ones. For deny rules and dangers. */
  commands: SimpleCommand[];
  /** Files that redirections write to. */
  writesTo: string[];
  /** A function that starts copies of itself. */
  forkBomb: boolean;
  /** Something runs whose name can't be known from the text. */
  unreadable: boolean;
  /** UTF-16 ranges of quoted text, end exclusive. */
  quotedRanges: [number, number][];
}

/** Over these a line is one opaque command: nobody reads that much in a dialog either. */
const MAX_RULE_CHARS = 10_000;
const MAX_PARTS = 50;
/** A shell in a shell in a shell …: beyond this nothing inside is looked at and the line counts as unreadable. */
const MAX_DEPTH = 6;

const JOINERS = new Set(['&&', '||', ';', '|', '\n']);
const COMMAND_TYPES = new Set(['command', 'declaration_command', 'unset_command', 'test_command']);
/** Control characters other than tab and line feed. */
function hasControl(text: string): boolean {
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if ((code < 0x20 && code !== 0x09 && code !== 0x0a) || code === 0x7f) return true;
  }
  return false;
}

function wordNodes(node: Node): Node[] {
  return node.children.filter(
    (child) => child.type !== 'variable_assignment' && !child.type.endsWith('_redirect'),
  );
}

function toCommand(node: Node): { command: SimpleCommand; words: ShellWord[] } {
  const words = wordNodes(node).map(shellWord);
  const pipe = node.parent?.type === 'pipeline' && node.parent.firstChild?.equals(node) === false;
  return {
    words,
    command: { text: node.text, argv: words.map((word) => word.value), wrapped: false, piped: pipe },
  };
}

/** Text between the children of a node: only blanks may be there, else something was skipped by the grammar. */
function hasGap(node: Node, allowed: RegExp): boolean {
  let end = 0;
  for (const child of node.children) {
    if (!allowed.test(node.text.slice(end, child.startIndex - node.startIndex))) return true;
    end = child.endIndex - node.startIndex;
  }
  return !allowed.test(node.text.slice(end));
}

function simpleDoubt(node: Node): string | null {
  if (node.type !== 'command') return `it has a ${node.type.replaceAll('_', ' ')}`;
  const odd = node.children.find(
    (child) => child.type === 'variable_assignment' || child.type.endsWith('redirect'),
  );
  if (odd) return odd.type === 'variable_assignment' ? 'it sets a variable' : 'it has a redirection';
  if (hasGap(node, /^[ \t]*$/)) return 'it has text that the grammar skips';
  return toCommand(node).words.find((word) => word.doubt !== null)?.doubt ?? null;
}

function describeNode(node: Node): string {
  if (node.type === '&') return 'it starts something in the background';
  if (node.type === 'comment') return 'it has a comment';
  if (node.type === 'redirected_statement') return 'it has a redirection';
  if (node.type === 'variable_assignment') return 'it sets a variable';
  return `it has a ${node.type.replaceAll('_', ' ')}`;
}

/** Collects the parts of a plain line; returns why it isn't one. */
function collectParts(node: Node, into: SimpleCommand[]): string | null {
  if (hasGap(node, /^[ \t\n]*$/)) return 'it has text that the grammar skips';
  for (const child of node.children) {
    if (JOINERS.has(child.type)) continue;
    if (child.type === 'list' || child.type === 'pipeline') {
      const doubt = collectParts(child, into);
      if (doubt !== null) return doubt;
      continue;
    }
    if (child.type !== 'command') return describeNode(child);
    const doubt = simpleDoubt(child);
    if (doubt !== null) return doubt;
    into.push(toCommand(child).command);
  }
  return null;
}

function isForkBomb(node: Node): boolean {
  const name = node.childForFieldName('name')?.text ?? node.firstNamedChild?.text;
  const calls = node
    .descendantsOfType('command_name')
    .filter((call): call is Node => call?.text === name && name !== undefined);
  return calls.length > 0 && (calls.length > 1 || node.text.includes('&'));
}

function collectAll(node: Node, found: ShellParse): void {
  if (COMMAND_TYPES.has(node.type)) {
    const { command, words } = toCommand(node);
    if (command.argv.length > 0) found.commands.push(command);
    if (words[0]?.doubt && !words[0].doubt.includes('home folder')) found.unreadable = true;
  }
  if (node.type === 'function_definition' && isForkBomb(node)) found.forkBomb = true;
  if (node.type === 'file_redirect' && /^[0-9]*(&?>|>)/.test(node.text)) {
    const target = node.childForFieldName('destination') ?? node.lastNamedChild;
    if (target) found.writesTo.push(shellWord(target).value);
  }
  if (['string', 'raw_string', 'heredoc_body', 'ansi_c_string'].includes(node.type)) {
    found.quotedRanges.push([node.startIndex, node.endIndex]);
  }
  for (const child of node.children) collectAll(child, found);
}

function addInner(parser: Parser, command: SimpleCommand, found: ShellParse, depth: number): void {
  const inner = innerCommands(command.argv);
  if (inner.argvs.length === 0 && inner.scripts.length === 0) return;
  if (depth >= MAX_DEPTH) {
    found.unreadable = true;
    return;
  }
  for (const argv of inner.argvs) {
    const next = { text: command.text, argv, wrapped: true, piped: command.piped };
    found.commands.push(next);
    addInner(parser, next, found, depth + 1);
  }
  for (const script of inner.scripts) {
    const parsed = parseWith(parser, script, depth + 1);
    found.commands.push(...parsed.commands.map((each) => ({ ...each, wrapped: true })));
    found.writesTo.push(...parsed.writesTo);
    found.forkBomb ||= parsed.forkBomb;
    found.unreadable ||= parsed.unreadable;
  }
}

function opaqueReason(text: string, root: Node, parts: SimpleCommand[]): string | null {
  if (text.length > MAX_RULE_CHARS) return `it is longer than ${MAX_RULE_CHARS} characters`;
  if (root.hasError) return 'it could not be read as a shell command';
  if (hasControl(text)) return 'it has control characters';
  const doubt = collectParts(root, parts);
  if (doubt !== null) return doubt;
  if (parts.length > MAX_PARTS) return `it has more than ${MAX_PARTS} parts`;
  return parts.length === 0 ? 'it runs nothing' : null;
}

function parseWith(parser: Parser, text: string, depth: number): ShellParse {
  const tree = parser.parse(text);
  const found: ShellParse = {
    parts: [],
    opaque: 'it could not be read as a shell command',
    commands: [],
    writesTo: [],
    forkBomb: false,
    unreadable: true,
    quotedRanges: [],
  };
  if (tree === null) return found;
  try {
    found.unreadable = tree.rootNode.hasError;
    found.opaque = opaqueReason(text, tree.rootNode, found.parts);
    collectAll(tree.rootNode, found);
    for (const command of [...found.commands]) addInner(parser, command, found, depth);
    if (found.opaque !== null) found.parts = [];
    return found;
  } finally {
    tree.delete();
  }
}

/** Lines that were read last: rules, effects and named paths of one command are found out one after the other. */
const read = new Map<string, Readonly<ShellParse>>();
const MAX_READ = 8;

/**
 * Reads one command line with the bash grammar. Never throws on any text; what can't be read is opaque. Reading takes about a
 * millisecond; the same line gives the same result again, which nobody may change.
 */
export async function parseShell(text: string): Promise<Readonly<ShellParse>> {
  const known = read.get(text);
  if (known !== undefined) return known;
  const parsed = Object.freeze(parseWith(await shellParser(), text, 0));
  for (const [oldest] of read) {
    if (read.size < MAX_READ) break;
    read.delete(oldest);
  }
  read.set(text, parsed);
  return parsed;
}
