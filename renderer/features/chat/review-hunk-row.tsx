import { useMemo } from 'react';
import type { Verdict } from '../../lib/review/decide';
import { ShortHunkLines } from '../../lib/review/hunk-lines';
import { firstLine, lineWords } from '../../lib/review/hunk-runs';
import { shortHunk } from '../../lib/review/short-hunk';
import { turnWords } from '../../lib/review/review-words';
import { TurnChips } from '../../lib/review/turn-chips';
import { Icon } from '../../ui/icon';
import { useChat } from './chat-context';
import { DecideButtons, decideByKey } from './review-decide';
import type { RowOf } from './review-row-host';

/** Longer changes are for the review page. */
const MOST_LINES = 6;

/** One change: where it is, who made it, its first lines and what can be decided. */
export function HunkRow({ row, current, onCurrent, onDecide, onReview }: RowOf<'hunk'>) {
  const { onOpenFile } = useChat();
  const { key, file, hunk } = row;
  const short = useMemo(() => shortHunk(hunk.hunk, MOST_LINES), [hunk.hunk]);
  const place = lineWords(hunk.hunk);
  const turn = hunk.turns.at(-1);
  const tabIndex = current ? 0 : -1;
  const isThere = file.change !== 'delete';
  const open = (): void => {
    if (isThere) onOpenFile(file.path, firstLine(hunk.hunk));
  };
  const decide = (verdict: Verdict): void => onDecide(verdict, { path: file.path, hunkId: hunk.id }, key);
  return (
    <div
      data-row={key}
      className="ch-rv-row ch-rv-hunk"
      role="group"
      aria-label={`${file.path}, ${place}${turn ? `, ${turnWords(turn)}` : ''}`}
      aria-keyshortcuts="A R"
      tabIndex={tabIndex}
      onFocus={() => onCurrent(key)}
      onKeyDown={(event) => decideByKey(event, file.canReject, decide, open)}
    >
      <div className="ch-rv-hunk-head">
        {isThere ? (
          <button
            type="button"
            className="ch-rv-place"
            tabIndex={tabIndex}
            title="Open in editor"
            onClick={open}
          >
            {place}
          </button>
        ) : (
          <span className="ch-rv-place">{place}</span>
        )}
        <TurnChips turns={hunk.turns} tabIndex={tabIndex} />
        {hunk.isMixed && (
          <span className="ch-rv-mixed" title="Lines of yours or of another program are among these">
            <Icon name="account" size={14} label="With other edits" />
          </span>
        )}
        <span className="ui-grow" />
        <DecideButtons canReject={file.canReject} tabIndex={tabIndex} onDecide={decide} />
      </div>
      <ShortHunkLines hunk={short.hunk} path={file.path} />
      {short.more > 0 && (
        <button type="button" className="ch-review-more" tabIndex={tabIndex} onClick={onReview}>
          {`+${short.more} more ${short.more === 1 ? 'line' : 'lines'} – Review`}
        </button>
      )}
    </div>
  );
}
