import { memo, useMemo, useState } from 'react';
import type { DiffHunk, DiffLine, FileDiff } from '../../../shared/model/diff';
import { classNames } from '../../ui/class-names';
import { languageOfPath } from '../markdown/languages';
import { tokenizeCode } from '../markdown/tokenize-code';
import { VisibleText } from '../text/visible-text';
import { hunkMarks, markSpans, type MarkedSpan, type Marks } from './word-marks';

/** More lines than this are drawn on demand. */
const FIRST_LINES = 300;

export interface DiffLinesProps {
  diff: FileDiff;
  /** Two number columns (old and new) or one. */
  columns: 1 | 2;
  /** Wraps long lines instead of scrolling, and shows every line: nothing of it may be out of sight. */
  whole?: boolean;
}

/** A file's hunks as lines with numbers, signs, colours and word marks. */
export const DiffLines = memo(function DiffLines({ diff, columns, whole = false }: DiffLinesProps) {
  const total = diff.hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
  const [all, setAll] = useState(whole);
  const shown = all ? diff.hunks : firstLines(diff.hunks, FIRST_LINES);
  const language = languageOfPath(diff.path);
  return (
    <div
      className={classNames('df-lines', whole && 'df-whole')}
      tabIndex={0}
      role="group"
      aria-label="Changed lines"
    >
      <div className="df-sheet">
        {shown.map((hunk, i) => (
          <Hunk key={i} hunk={hunk} gap={gapBefore(diff.hunks, i)} columns={columns} language={language} />
        ))}
      </div>
      {!all && total > FIRST_LINES && (
        <button type="button" className="df-more" onClick={() => setAll(true)}>
          {`Show all ${total.toLocaleString('en')} lines`}
        </button>
      )}
      {diff.truncated && (
        <div className="df-gap">
          The change is larger than what is kept here. Open the file to see all of it.
        </div>
      )}
    </div>
  );
});

function firstLines(hunks: readonly DiffHunk[], limit: number): DiffHunk[] {
  const shown: DiffHunk[] = [];
  let left = limit;
  for (const hunk of hunks) {
    if (left <= 0) break;
    shown.push(hunk.lines.length <= left ? hunk : { ...hunk, lines: hunk.lines.slice(0, left) });
    left -= hunk.lines.length;
  }
  return shown;
}

/** How many unchanged lines lie between a hunk and the one before it. */
export function gapBefore(hunks: readonly DiffHunk[], index: number): number {
  const before = hunks[index - 1];
  const hunk = hunks[index];
  return before && hunk ? Math.max(0, hunk.oldStart - before.oldStart - before.oldLines) : 0;
}

interface HunkProps {
  hunk: DiffHunk;
  gap: number;
  columns: 1 | 2;
  language: string;
}

const Hunk = memo(function Hunk({ hunk, gap, columns, language }: HunkProps) {
  const marks = useMemo(() => hunkMarks(hunk), [hunk]);
  return (
    <>
      {gap > 0 && <div className="df-gap">{`${gap} unchanged ${gap === 1 ? 'line' : 'lines'}`}</div>}
      {hunk.lines.map((line, i) => (
        <Line key={i} line={line} marks={marks[i] ?? []} columns={columns} language={language} />
      ))}
    </>
  );
});

const SIGNS = { add: '+', delete: '−', context: '' } as const;
const SPOKEN = { add: 'added', delete: 'removed' } as const;

const spoken = (kind: DiffLine['kind']): { role?: 'img'; 'aria-label'?: string } =>
  kind === 'context' ? {} : { role: 'img', 'aria-label': SPOKEN[kind] };

function Line({
  line,
  marks,
  columns,
  language,
}: {
  line: DiffLine;
  marks: Marks;
  columns: 1 | 2;
  language: string;
}) {
  const spans = useMemo(
    () => markSpans(tokenizeCode(line.text, language)[0] ?? [], marks),
    [line, marks, language],
  );
  return (
    <div className={`df-line df-${line.kind}${columns === 2 ? ' df-two' : ''}`}>
      {columns === 2 && <span className="df-number">{line.oldLine ?? ''}</span>}
      <span className="df-number">
        {columns === 2 ? (line.newLine ?? '') : (line.newLine ?? line.oldLine ?? '')}
      </span>
      <span className="df-sign" {...spoken(line.kind)}>
        {SIGNS[line.kind]}
      </span>
      <span className="df-code">
        {spans.map((span, i) => (
          <Span key={i} span={span} />
        ))}
      </span>
    </div>
  );
}

function Span({ span }: { span: MarkedSpan }) {
  const looks = classNames(span.kind !== 'plain' && `md-s-${span.kind}`, span.marked && 'df-word');
  if (looks === '') return <VisibleText text={span.text} />;
  return (
    <span className={looks}>
      <VisibleText text={span.text} />
    </span>
  );
}
