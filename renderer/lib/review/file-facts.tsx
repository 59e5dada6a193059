import type { ReviewFile } from '../../../shared/model/change';
import type { FileTexts } from './review-state';
import './review-parts.css';

export const CHANGE_WORDS = { create: 'new', delete: 'deleted', move: 'moved', modify: '' } as const;

export function Counts({ file }: { file: Pick<ReviewFile, 'additions' | 'deletions'> }) {
  return (
    <span className="rv-counts">
      {file.additions > 0 && <span className="ui-ok">{`+${file.additions}`}</span>}
      {file.deletions > 0 && <span className="ui-err">{`−${file.deletions}`}</span>}
    </span>
  );
}

export const CANNOT_REJECT = 'The former content is not kept, so this can only be accepted.';

const CHANGED: Readonly<Record<ReviewFile['change'], string>> = {
  create: 'A new file',
  delete: 'The file was deleted',
  move: 'The file was moved',
  modify: 'The file was changed',
};

/** What is said of a file that shows no lines. */
export function wholeWords(file: ReviewFile, texts: FileTexts): string {
  const what = CHANGED[file.change];
  if (file.isOpaque)
    return `${what}. It is no text, or too much of it to be shown; it is reviewed as a whole.`;
  if (texts.kind === 'failed') return `${texts.error.message} ${texts.error.hint ?? ''}`.trim();
  const empty = file.change === 'create' || file.change === 'delete';
  return empty ? `${what}; it is empty.` : `${what}, no line of it differs.`;
}
