import type { Verdict } from '../../lib/review/decide';
import { wholeWords } from '../../lib/review/file-facts';
import { TurnChips } from '../../lib/review/turn-chips';
import { Spinner } from '../../ui/spinner';
import { useChat } from './chat-context';
import { DecideButtons, decideByKey } from './review-decide';
import type { RowOf } from './review-row-host';

/** A file that shows no lines. */
export function WholeRow({ row, current, onCurrent, onDecide }: RowOf<'whole'>) {
  const { onOpenFile } = useChat();
  const { key, file, texts } = row;
  const waiting = texts.kind === 'loading' && !file.isOpaque;
  const text = waiting ? 'Reading the changes' : wholeWords(file, texts);
  const tabIndex = current ? 0 : -1;
  const decide = (verdict: Verdict): void => onDecide(verdict, { path: file.path, hunkId: null }, key);
  const open = (): void => {
    if (file.change !== 'delete') onOpenFile(file.path);
  };
  return (
    <div
      data-row={key}
      className="ch-rv-row ch-rv-whole"
      role="group"
      aria-label={`${file.path}. ${text}`}
      aria-busy={waiting}
      tabIndex={tabIndex}
      onFocus={() => onCurrent(key)}
      onKeyDown={(event) => decideByKey(event, file.canReject, decide, open)}
    >
      <div className="ui-soft ch-rv-words">
        {waiting && <Spinner />}
        {text}
      </div>
      <div className="ch-rv-whole-foot">
        <TurnChips turns={file.turns} tabIndex={tabIndex} />
        <span className="ui-grow" />
        <DecideButtons canReject={file.canReject} tabIndex={tabIndex} onDecide={decide} />
      </div>
    </div>
  );
}
