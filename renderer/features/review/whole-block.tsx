import { classNames } from '../../ui/class-names';
import { Icon } from '../../ui/icon';
import { Spinner } from '../../ui/spinner';
import { CANNOT_REJECT, wholeWords } from '../../lib/review/file-facts';
import type { ReviewBlock } from '../../lib/review/review-blocks';
import { TurnChips } from '../../lib/review/turn-chips';

type Whole = Extract<ReviewBlock, { kind: 'whole' }>;

/** What stands for a file that shows no lines: it is decided on as a whole. */
export function WholeBlock({
  block,
  current,
  onCurrent,
}: {
  block: Whole;
  current: boolean;
  onCurrent: (stop: string) => void;
}) {
  const { file, texts, stop } = block;
  const waiting = texts.kind === 'loading' && !file.isOpaque;
  const text = waiting ? 'Reading the changes' : wholeWords(file, texts);
  return (
    <div
      data-stop={stop}
      tabIndex={current ? 0 : -1}
      role="group"
      aria-label={`${file.path}. ${text}`}
      aria-current={current ? 'true' : undefined}
      aria-busy={waiting}
      className={classNames('rv-whole', current && 'rv-current')}
      onFocus={() => onCurrent(stop)}
    >
      {waiting ? (
        <Spinner />
      ) : (
        <Icon name={texts.kind === 'failed' && !file.isOpaque ? 'warning' : 'file-binary'} size={14} />
      )}
      <span className="rv-whole-text ui-soft">{text}</span>
      <TurnChips turns={file.turns} tabIndex={current ? 0 : -1} />
      {!file.canReject && <span className="ui-muted">{CANNOT_REJECT}</span>}
    </div>
  );
}
