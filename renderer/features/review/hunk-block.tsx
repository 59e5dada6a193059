import { memo } from 'react';
import type { TurnRef } from '../../../shared/model/change';
import { lineWords } from '../../lib/review/hunk-runs';
import { turnWords } from '../../lib/review/review-words';
import { TurnChips } from '../../lib/review/turn-chips';
import { Button } from '../../ui/button';
import { classNames } from '../../ui/class-names';
import { Icon } from '../../ui/icon';
import type { Verdict } from '../../lib/review/decide';
import { HunkLines } from '../../lib/review/hunk-lines';
import type { ReviewBlock } from '../../lib/review/review-blocks';

type HunkPiece = Extract<ReviewBlock, { kind: 'hunk' }>;

export interface HunkBlockProps {
  block: HunkPiece;
  current: boolean;
  onDecide: (verdict: Verdict, block: HunkPiece) => void;
  onCurrent: (stop: string) => void;
}

const lastTurn = (turns: readonly TurnRef[]): string => {
  const turn = turns.at(-1);
  return turn ? `, ${turnWords(turn)}` : '';
};

/** A hunk or a piece of a long one: its first piece carries the head and takes the focus. */
export const HunkBlock = memo(function HunkBlock({ block, current, onDecide, onCurrent }: HunkBlockProps) {
  const { file, hunk, stop, from, to, number, count } = block;
  const label = `Change ${number} of ${count}, ${file.path}, ${lineWords(hunk.hunk)}${lastTurn(hunk.turns)}`;
  const focusable =
    stop === null ? {} : { 'data-stop': stop, tabIndex: current ? 0 : -1, onFocus: () => onCurrent(stop) };
  return (
    <div
      {...focusable}
      role="group"
      aria-label={stop === null ? `${label}, continued` : label}
      aria-current={stop !== null && current ? 'true' : undefined}
      className={classNames('rv-hunk', current && 'rv-current', stop === null && 'rv-hunk-more')}
    >
      {stop !== null && <HunkHead block={block} current={current} onDecide={onDecide} />}
      <HunkLines hunk={hunk.hunk} path={file.path} from={from} to={to} />
    </div>
  );
});

function HunkHead({ block, current, onDecide }: Omit<HunkBlockProps, 'onCurrent'>) {
  const { file, hunk, number, count } = block;
  // Tab goes through the buttons of the change one is at; the others have theirs when one gets there.
  const tabIndex = current ? 0 : -1;
  return (
    <div className="rv-hunk-head">
      <Icon name="lathe" size={14} className="ui-agent" />
      <span className="rv-hunk-count">{`Change ${number} of ${count}`}</span>
      <span className="rv-hunk-place">{lineWords(hunk.hunk)}</span>
      <TurnChips turns={hunk.turns} tabIndex={tabIndex} />
      {hunk.isMixed && (
        <span className="rv-chip rv-chip-mixed" title="Lines of yours or of another program are among these">
          <Icon name="account" size={12} />
          <span className="ui-clip">with other edits</span>
        </span>
      )}
      <span className="ui-grow" />
      <Button
        size="small"
        tabIndex={tabIndex}
        keyHint="R"
        disabled={!file.canReject}
        onClick={() => onDecide('reject', block)}
      >
        Reject
      </Button>
      <Button size="small" tabIndex={tabIndex} keyHint="A" onClick={() => onDecide('accept', block)}>
        Accept
      </Button>
    </div>
  );
}
