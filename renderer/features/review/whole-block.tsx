import type { ReviewFile } from '../../../shared/model/change';
import { classNames } from '../../ui/class-names';
import { Icon } from '../../ui/icon';
import { Spinner } from '../../ui/spinner';
import { CANNOT_REJECT } from './file-head';
import type { ReviewBlock } from './review-blocks';
import type { FileTexts } from './review-state';
import { TurnChips } from './hunk-block';

type Whole = Extract<ReviewBlock, { kind: 'whole' }>;

const CHANGED: Readonly<Record<ReviewFile['change'], string>> = {
  create: 'A new file',
  delete: 'The file was deleted',
  move: 'The file was moved',
  modify: 'The file was changed',
};

function wholeWords(file: ReviewFile, texts: FileTexts): string {
  const what = CHANGED[file.change];
  if (file.isOpaque) return `${what}. It is no text or too large to be shown; it is reviewed as a whole.`;
  if (texts.kind === 'failed') return `${texts.error.message} ${texts.error.hint ?? ''}`.trim();
  const empty = file.change === 'create' || file.change === 'delete';
  return empty ? `${what}; it is empty.` : `${what}, no line of it differs.`;
}

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
      <span className="ui-soft">{text}</span>
      <TurnChips turns={file.turns} tabIndex={current ? 0 : -1} />
      {!file.canReject && <span className="ui-muted">{CANNOT_REJECT}</span>}
    </div>
  );
}
