import { memo } from 'react';
import type { DiffHunk, DiffLine } from '../../../shared/model/diff';
import { languageOfPath } from '../markdown/languages';
import { hasHidden, LONG_RUN } from '../text/hidden-characters';
import { VisibleText } from '../text/visible-text';
import '../diff/diff.css';
import '../markdown/markdown.css';
import './review-parts.css';
import { knownPieces, lineNumber, lineNumbers, type LinePiece } from './line-pieces';

const SIGNS = { add: '+', delete: '−', context: null } as const;
const ROLES = { add: 'insertion', delete: 'deletion', context: undefined } as const;

export interface HunkLinesProps {
  hunk: DiffHunk;
  path: string;
  /** The end is exclusive. */
  from: number;
  to: number;
}

/** Lines of a hunk with numbers, signs, colours and word marks; few elements a line, since many are drawn while scrolling. */
export const HunkLines = memo(function HunkLines({ hunk, path, from, to }: HunkLinesProps) {
  const pieces = knownPieces(hunk, languageOfPath(path));
  return (
    <div className="rv-lines">
      {hunk.lines
        .slice(from, to)
        .map((line, at) => hunkLine(line, lineNumbers(line), pieces[from + at] ?? [], from + at))}
    </div>
  );
});

/** What a hunk removed and added, without the lines around and with one number a line: for narrow places. */
export const ShortHunkLines = memo(function ShortHunkLines({
  hunk,
  path,
}: Pick<HunkLinesProps, 'hunk' | 'path'>) {
  const pieces = knownPieces(hunk, languageOfPath(path));
  return (
    <div className="rv-lines rv-short">
      {hunk.lines.map((line, at) =>
        line.kind === 'context' ? null : hunkLine(line, lineNumber(line), pieces[at] ?? [], at),
      )}
    </div>
  );
});

function hunkLine(line: DiffLine, numbers: string, pieces: readonly LinePiece[], key: number) {
  const sign = SIGNS[line.kind];
  return (
    <div key={key} className={`rv-line df-${line.kind}`} role={ROLES[line.kind]}>
      <span className="rv-numbers">{numbers}</span>
      {sign !== null && <span className="rv-sign">{sign}</span>}
      {pieces.map(piece)}
    </div>
  );
}

function piece({ text, looks }: LinePiece, key: number) {
  const shown = hasHidden(text) || text.length >= LONG_RUN ? <VisibleText key={key} text={text} /> : text;
  return looks === '' ? (
    shown
  ) : (
    <span key={key} className={looks}>
      {shown}
    </span>
  );
}
