import type { DiffHunk, DiffLine } from '../../../shared/model/diff';
import { hunkMarks, markSpans } from '../diff/word-marks';
import { tokenizeCode } from '../markdown/tokenize-code';

/** A stretch of a line that is drawn in one way. */
export interface LinePiece {
  readonly text: string;
  /** '' for plain text. */
  readonly looks: string;
}

const WORD_MARK = 'df-word';

/** Fewer elements are fewer to lay out while one scrolls: blanks, which have no colour, go with what is before them. */
function addPiece(pieces: LinePiece[], text: string, looks: string): void {
  const last = pieces.at(-1);
  const isBlank = looks === '' && text.trim() === '' && last?.looks.includes(WORD_MARK) === false;
  if (last && (last.looks === looks || isBlank))
    pieces[pieces.length - 1] = { text: last.text + text, looks: last.looks };
  else pieces.push({ text, looks });
}

/** Colours and word marks of a hunk's lines; a line's texts join to the line. */
export function linePieces(hunk: DiffHunk, language: string): LinePiece[][] {
  const marks = hunkMarks(hunk);
  return hunk.lines.map(({ text }, at) => {
    const pieces: LinePiece[] = [];
    for (const span of markSpans(tokenizeCode(text, language)[0] ?? [], marks[at] ?? [])) {
      const colour = span.kind === 'plain' || span.kind === 'prop' ? '' : `md-s-${span.kind}`;
      addPiece(pieces, span.text, [colour, span.marked ? WORD_MARK : ''].filter(Boolean).join(' '));
    }
    return pieces;
  });
}

const known = new WeakMap<DiffHunk, LinePiece[][]>();

/** The same, worked out once for each hunk: scrolling draws it many times. */
export function knownPieces(hunk: DiffHunk, language: string): LinePiece[][] {
  const pieces = known.get(hunk) ?? linePieces(hunk, language);
  known.set(hunk, pieces);
  return pieces;
}

const DIGITS = 5;
const padded = (line: number | undefined): string => String(line ?? '').padStart(DIGITS);

/** Both line numbers as one text of a fixed width. */
export const lineNumbers = ({ oldLine, newLine }: Pick<DiffLine, 'oldLine' | 'newLine'>): string =>
  `${padded(oldLine)} ${padded(newLine)}`;

/** The number that a line has, or had before it was removed. */
export const lineNumber = ({ oldLine, newLine }: Pick<DiffLine, 'oldLine' | 'newLine'>): string =>
  padded(newLine ?? oldLine);
