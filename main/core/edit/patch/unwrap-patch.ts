import { malformed } from './patch-error';

/** A line of the argument with its number, which errors name. */
export interface NumberedLine {
  text: string;
  /** 1-based. */
  line: number;
}

const FENCE = /^\s*(`{3,}|~{3,})\s*[\w+-]*\s*$/;
const HEREDOC = /^\s*(?:apply_patch\s*<<-?\s*(\S+)|cat\s*<<-?\s*(\S+)\s*\|\s*apply_patch|<<-?\s*(\S+))\s*$/;
const WORD = /^(?:'(\w+)'|"(\w+)"|(\w+))$/;
const MIN_HEREDOC_LINES = 4;

const isBlank = ({ text }: NumberedLine): boolean => text.trim() === '';

/**
 * The lines of a patch without what models put round it: a Markdown fence, a shell's here-document. Only a wrapper whose
 * end fits its beginning is taken off; line breaks of either kind are read.
 *
 * @throws AppError `bad_argument` when a wrapper is begun and not ended
 */
export function unwrapPatch(patch: string): NumberedLine[] {
  const lines = patch
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .map((text, at) => ({ text, line: at + 1 }));
  return withoutHeredoc(trimmed(withoutFence(trimmed(lines))));
}

function trimmed(lines: readonly NumberedLine[]): NumberedLine[] {
  const first = lines.findIndex((line) => !isBlank(line));
  const last = lines.findLastIndex((line) => !isBlank(line));
  return first === -1 ? [] : lines.slice(first, last + 1);
}

function withoutFence(lines: readonly NumberedLine[]): NumberedLine[] {
  const [first] = lines;
  const open = first && FENCE.exec(first.text)?.[1];
  if (first === undefined || open === undefined) return [...lines];
  const last = lines.at(-1);
  if (lines.length < 2 || last?.text.trim() !== open)
    throw malformed(first.line, 'the code fence is not closed');
  return lines.slice(1, -1);
}

function withoutHeredoc(lines: readonly NumberedLine[]): NumberedLine[] {
  const [first] = lines;
  const match = first && HEREDOC.exec(first.text);
  if (!first || !match) return [...lines];
  const word = WORD.exec(match[1] ?? match[2] ?? match[3] ?? '');
  const end = word?.[1] ?? word?.[2] ?? word?.[3];
  if (end === undefined)
    throw malformed(first.line, 'the quotes round the word of the here-document don’t match');
  if (lines.length < MIN_HEREDOC_LINES || lines.at(-1)?.text.trim() !== end)
    throw malformed(first.line, `the here-document does not end with \`${end}\``);
  return trimmed(lines.slice(1, -1));
}
