import { mergeLines, type CompareLines, type MergePiece } from './merge-lines';

/** What a three-way merge made: the text, or the places where both sides changed the same lines. */
export type TextMerge = { isClean: true; text: string } | { isClean: false; pieces: MergePiece[] };

type Ending = '\n' | '\r\n';

/** A text as lines that all have a line ending, and what that hides. */
interface Split {
  /** Each with its own ending; a last line that had none got the usual one of its text. */
  lines: string[];
  /** Null for the empty text. */
  hasFinalBreak: boolean | null;
  /** The one ending of all lines; null where there is no line break at all. */
  ending: Ending | 'mixed' | null;
}

/**
 * Three-way merge of texts, each line with its own ending. That the last line has no line break, and which ending the
 * lines of a text have when they all have the same, are merged as facts of their own: a file whose endings were converted
 * is not in conflict with each of its lines.
 */
export function mergeTexts(base: string, ours: string, theirs: string, compare: CompareLines): TextMerge {
  if (ours === base || ours === theirs) return { isClean: true, text: theirs };
  if (theirs === base) return { isClean: true, text: ours };
  const sides = [splitText(base), splitText(ours), splitText(theirs)] as const;
  const ending = commonEnding(sides);
  const [baseLines, ourLines, theirLines] = sides.map((side) => linesWith(side, ending)) as [
    string[],
    string[],
    string[],
  ];
  const pieces = mergeLines(baseLines, ourLines, theirLines, compare);
  if (pieces.some(({ kind }) => kind === 'conflict')) return { isClean: false, pieces };
  const text = pieces.flatMap((piece) => (piece.kind === 'settled' ? piece.lines : [])).join('');
  const [b, o, t] = sides;
  const hasFinalBreak = pick(b.hasFinalBreak, o.hasFinalBreak, t.hasFinalBreak, true);
  return { isClean: true, text: hasFinalBreak === false ? text.replace(/\r?\n$/, '') : text };
}

/** The side that differs from the base; `tie` where both do, each in its way. Null has no say. */
function pick<T>(base: T | null, ours: T | null, theirs: T | null, tie: T): T | null {
  if (ours === null || theirs === null) return ours ?? theirs;
  if (ours === theirs || theirs === base) return ours;
  return ours === base ? theirs : tie;
}

/** The ending that all lines get; null when those of one text differ among themselves, so that each line keeps its own. */
function commonEnding([base, ours, theirs]: readonly [Split, Split, Split]): Ending | null {
  const endings = [base.ending, ours.ending, theirs.ending];
  if (endings.includes('mixed')) return null;
  const [b, o, t] = endings as [Ending | null, Ending | null, Ending | null];
  return pick(b, o, t, '\n') ?? b ?? '\n';
}

const linesWith = ({ lines, ending }: Split, wanted: Ending | null): string[] =>
  wanted === null || ending === wanted ? lines : lines.map((line) => line.replace(/\r?\n$/, wanted));

function splitText(text: string): Split {
  if (text === '') return { lines: [], hasFinalBreak: null, ending: null };
  const lines = linesOf(text);
  const last = lines.at(-1) as string;
  const hasFinalBreak = last.endsWith('\n');
  const count = hasFinalBreak ? lines.length : lines.length - 1;
  const crlf = lines.reduce((sum, line) => sum + (line.endsWith('\r\n') ? 1 : 0), 0);
  const usual: Ending = crlf * 2 > count ? '\r\n' : '\n';
  if (!hasFinalBreak) lines[lines.length - 1] = last + usual;
  const isMixed = crlf > 0 && crlf < count;
  return { lines, hasFinalBreak, ending: count === 0 ? null : isMixed ? 'mixed' : usual };
}

function linesOf(text: string): string[] {
  const lines: string[] = [];
  for (let at = 0; at < text.length;) {
    const end = text.indexOf('\n', at);
    const next = end === -1 ? text.length : end + 1;
    lines.push(text.slice(at, next));
    at = next;
  }
  return lines;
}

/** What stands behind the markers. */
export interface MarkLabels {
  ours: string;
  theirs: string;
}

/** The text of a merge that is not clean, with both sides between markers, LF; `regions` are 1-based ranges of its lines. */
export function withMarkers(
  pieces: readonly MergePiece[],
  labels: MarkLabels = { ours: 'now', theirs: 'undo' },
): { text: string; regions: { start: number; lines: number }[] } {
  const lines: string[] = [];
  const regions: { start: number; lines: number }[] = [];
  for (const piece of pieces) {
    if (piece.kind === 'settled') {
      for (const line of piece.lines) lines.push(line);
      continue;
    }
    const start = lines.length + 1;
    lines.push(`<<<<<<< ${labels.ours}\n`, ...piece.ours, '=======\n', ...piece.theirs);
    lines.push(`>>>>>>> ${labels.theirs}\n`);
    regions.push({ start, lines: lines.length + 1 - start });
  }
  return { text: lines.join('').replaceAll('\r\n', '\n'), regions };
}
