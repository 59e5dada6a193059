import { homedir } from 'node:os';
import type { Node } from 'web-tree-sitter';

/** One word of a command as the shell would see it. */
export interface ShellWord {
  /** Best knowledge of what the command gets: quotes removed, `~` and `$HOME` filled in, other expansions as written. */
  value: string;
  /** Why `value` is not certain (an expansion, a pattern …); null for a plain word. */
  doubt: string | null;
}

/** Unquoted characters that no shell we run gives a meaning to. A list of the good ones, so that the rest fails closed. */
const PLAIN = /^[\p{L}\p{N}\p{M}_@%+=:,./^-]$/u;

const DOUBTS: Record<string, string> = {
  '*': 'it has a file pattern',
  '?': 'it has a file pattern',
  '[': 'it has a file pattern',
  ']': 'it has a file pattern',
  '{': 'it has a brace expansion',
  '}': 'it has a brace expansion',
  '~': 'it has a home folder shorthand',
};

function bareWord(text: string): ShellWord {
  let value = '';
  let doubt: string | null = null;
  const characters = [...text];
  for (let i = 0; i < characters.length; i += 1) {
    const character = characters[i] as string;
    if (character === '\\') {
      i += 1;
      value += characters[i] ?? '';
      if (characters[i] === '\n') doubt ??= 'a line is continued with a backslash';
      continue;
    }
    if (!PLAIN.test(character)) doubt ??= DOUBTS[character] ?? `it has the special character ${character}`;
    value += character;
  }
  return { value, doubt };
}

/** Inside double quotes a backslash only escapes these. */
function unescapeDouble(text: string): string {
  return text.replace(/\\([\\"$`])/g, '$1');
}

function quoted(value: string): ShellWord {
  return { value, doubt: value.includes('\n') ? 'it has a line break inside quotes' : null };
}

const ANSI_C: Record<string, string> = { n: '\n', t: '\t', r: '\r', e: '\u001b', a: '\u0007', b: '\b' };

function ansiC(text: string): ShellWord {
  const value = text
    .slice(2, -1)
    .replace(
      /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|([0-7]{1,3})|(.))/gs,
      (_all, hex?: string, unicode?: string, octal?: string, one?: string) => {
        if (hex ?? unicode) return String.fromCharCode(parseInt((hex ?? unicode) as string, 16));
        if (octal) return String.fromCharCode(parseInt(octal, 8) & 0xff);
        return ANSI_C[one ?? ''] ?? one ?? '';
      },
    );
  return { value, doubt: "it has a $'…' string" };
}

function variable(text: string): ShellWord {
  const name = text.replace(/^\$\{?|\}$/g, '');
  const value = name === 'HOME' ? homedir() : name === 'PWD' ? '.' : text;
  return { value, doubt: 'it has a variable' };
}

function joined(parts: ShellWord[]): ShellWord {
  return {
    value: parts.map((part) => part.value).join(''),
    doubt: parts.find((part) => part.doubt !== null)?.doubt ?? null,
  };
}

function doubleQuoted(node: Node): ShellWord {
  const inner = node.namedChildren.filter((child) => child.type !== 'string_content');
  if (inner.length === 0) return quoted(unescapeDouble(node.text.slice(1, -1)));
  const parts = node.namedChildren.map((child) =>
    child.type === 'string_content' ? quoted(unescapeDouble(child.text)) : evaluate(child),
  );
  return joined(parts);
}

function evaluate(node: Node): ShellWord {
  switch (node.type) {
    case 'word':
    case 'number':
    case 'variable_name':
    case 'test_operator':
      return bareWord(node.text);
    case 'raw_string':
      return quoted(node.text.slice(1, -1));
    case 'string':
      return doubleQuoted(node);
    case 'concatenation':
      return joined(node.namedChildren.map(evaluate));
    case 'command_name':
      return node.namedChildCount === 1 ? evaluate(node.namedChild(0) as Node) : bareWord(node.text);
    case 'ansi_c_string':
      return ansiC(node.text);
    case 'simple_expansion':
    case 'expansion':
      return variable(node.text);
    case 'command_substitution':
      return { value: node.text, doubt: 'it runs another command inside' };
    case 'process_substitution':
      return { value: node.text, doubt: 'it has a process substitution' };
    default:
      return { value: node.text, doubt: `it has ${node.type.replaceAll('_', ' ')}` };
  }
}

/** What the shell would make of one word node, as far as that can be known without running it. */
export function shellWord(node: Node): ShellWord {
  const word = evaluate(node);
  const raw = node.text;
  if (/^~(\/|$)/.test(raw)) return { value: homedir() + word.value.slice(1), doubt: DOUBTS['~'] ?? null };
  // zsh reads =name as the path of a program.
  if (raw.startsWith('=')) return { ...word, doubt: 'a word starts with =' };
  return word;
}

const SAFE = /^[\p{L}\p{N}_@%+=:,./^-]+$/u;

/** A command as text that has one spelling only: single spaces, single quotes where needed. */
export function canonicalCommand(argv: readonly string[]): string {
  return argv.map((word) => (SAFE.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ');
}
