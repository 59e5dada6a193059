import { fileIcon } from '../../lib/files/file-icon';
import { splitPath } from '../../lib/format';
import { CANNOT_REJECT, CHANGE_WORDS, Counts } from '../../lib/review/file-facts';
import type { Target } from '../../lib/review/review-data';
import { VisibleText } from '../../lib/text/visible-text';
import { Icon } from '../../ui/icon';
import { IconButton } from '../../ui/icon-button';
import { useSession } from './chat-context';
import { toggleFile } from './review-folds';
import { HunkRow } from './review-hunk-row';
import type { RowHost, RowOf } from './review-row-host';
import type { ReviewRow } from './review-rows';
import { WholeRow } from './review-whole-row';

export interface ReviewListRowProps extends RowHost {
  row: ReviewRow;
}

export function ReviewListRow({ row, ...host }: ReviewListRowProps) {
  switch (row.kind) {
    case 'file':
      return <FileRow row={row} {...host} />;
    case 'hunk':
      return <HunkRow row={row} {...host} />;
    case 'whole':
      return <WholeRow row={row} {...host} />;
    case 'more':
      return (
        <button
          type="button"
          data-row={row.key}
          className="ch-review-more"
          tabIndex={host.current ? 0 : -1}
          onFocus={() => host.onCurrent(row.key)}
          onClick={host.onReview}
        >
          {`and ${row.count} more – Review`}
        </button>
      );
  }
}

function FileRow({ row, current, onCurrent, onDecide, onDismiss }: RowOf<'file'>) {
  const { id } = useSession();
  const { key, file, folded, note } = row;
  const { folder, name } = splitPath(file.path);
  const tabIndex = current ? 0 : -1;
  const whole: Target = { path: file.path, hunkId: null };
  return (
    <div
      className="ch-rv-row ch-rv-file"
      role="group"
      aria-label={file.path}
      onFocus={() => onCurrent(key)}
      title={file.movedFrom === null ? file.path : `${file.movedFrom} → ${file.path}`}
    >
      <div className="ch-rv-file-head">
        <button
          type="button"
          data-row={key}
          className="ch-rv-fold"
          tabIndex={tabIndex}
          aria-expanded={!folded}
          onClick={() => toggleFile(id, file.path)}
        >
          <Icon name={folded ? 'chevron-right' : 'chevron-down'} size={14} />
          <Icon name={fileIcon(file.path)} size={14} />
          <span className="ch-rv-name ui-clip">
            <VisibleText text={name} />
          </span>
          <span className="ch-rv-folder ui-clip">
            <VisibleText text={folder.replace(/\/$/, '')} />
          </span>
          {CHANGE_WORDS[file.change] !== '' && <span className="rv-kind">{CHANGE_WORDS[file.change]}</span>}
          <Counts file={file} />
        </button>
        <IconButton
          small
          icon="discard"
          label="Reject file"
          tabIndex={tabIndex}
          disabled={!file.canReject}
          {...(file.canReject ? {} : { title: CANNOT_REJECT })}
          onClick={() => onDecide('reject', whole, key)}
        />
        <IconButton
          small
          icon="check"
          label="Accept file"
          tabIndex={tabIndex}
          onClick={() => onDecide('accept', whole, key)}
        />
      </div>
      {note !== null && (
        <div className="ch-rv-note" role="alert">
          <Icon name="warning" size={14} className="ui-warn" />
          <span className="ui-grow">{note}</span>
          <IconButton small icon="close" label="Dismiss" onClick={() => onDismiss(file.path)} />
        </div>
      )}
    </div>
  );
}
