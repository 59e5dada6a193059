import type { ReviewFile } from '../../../shared/model/change';
import type { Verdict } from '../../lib/review/decide';
import { fileIcon } from '../../lib/files/file-icon';
import { splitPath } from '../../lib/format';
import { VisibleText } from '../../lib/text/visible-text';
import { Button } from '../../ui/button';
import { Icon } from '../../ui/icon';
import { IconButton } from '../../ui/icon-button';
import { CANNOT_REJECT, CHANGE_WORDS, Counts } from '../../lib/review/file-facts';
import type { ReviewBlock } from '../../lib/review/review-blocks';

export interface FileActions {
  onFold: (path: string) => void;
  onOpen: (file: ReviewFile) => void;
  onSideBySide: (file: ReviewFile) => void;
  onDecide: (verdict: Verdict, file: ReviewFile) => void;
  onDismiss: (path: string) => void;
}

export interface FileHeadProps extends FileActions {
  block: Extract<ReviewBlock, { kind: 'file' }>;
}

/** A file's name and what can be done with all of it; it stays on top while its changes are in view. */
export function FileHead(props: FileHeadProps) {
  const { file, folded, note } = props.block;
  const { folder, name } = splitPath(file.path);
  const title = file.movedFrom === null ? file.path : `${file.movedFrom} → ${file.path}`;
  return (
    <div className="rv-file" role="group" aria-label={file.path}>
      <div className="rv-file-head">
        <button
          type="button"
          className="rv-fold"
          aria-expanded={!folded}
          title={title}
          onClick={() => props.onFold(file.path)}
        >
          <Icon name={folded ? 'chevron-right' : 'chevron-down'} size={14} />
          <Icon name={fileIcon(file.path)} size={14} />
          <span className="rv-path">
            <span className="rv-folder ui-clip">
              {file.movedFrom !== null && <VisibleText text={`${file.movedFrom} → `} />}
              <VisibleText text={folder} />
            </span>
            <span className="rv-name ui-clip">
              <VisibleText text={name} />
            </span>
          </span>
          {CHANGE_WORDS[file.change] !== '' && <span className="rv-kind">{CHANGE_WORDS[file.change]}</span>}
          <Counts file={file} />
        </button>
        <FileButtons {...props} file={file} />
      </div>
      {note !== null && (
        <div className="rv-note" role="alert">
          <Icon name="warning" size={14} className="ui-warn" />
          <span className="ui-grow">{note}</span>
          <IconButton small icon="close" label="Dismiss" onClick={() => props.onDismiss(file.path)} />
        </div>
      )}
    </div>
  );
}

function FileButtons({ file, onOpen, onSideBySide, onDecide }: FileHeadProps & { file: ReviewFile }) {
  return (
    <>
      {file.change !== 'delete' && (
        <IconButton small icon="go-to-file" label="Open" keyHint="Enter" onClick={() => onOpen(file)} />
      )}
      {!file.isOpaque && (
        <IconButton
          small
          icon="split-horizontal"
          label="Open as side-by-side diff"
          onClick={() => onSideBySide(file)}
        />
      )}
      <Button
        size="small"
        variant="quiet"
        aria-label="Reject file"
        disabled={!file.canReject}
        title={file.canReject ? 'Reject file (Shift+R)' : CANNOT_REJECT}
        onClick={() => onDecide('reject', file)}
      >
        Reject file
      </Button>
      <Button
        size="small"
        variant="quiet"
        title="Accept file (Shift+A)"
        onClick={() => onDecide('accept', file)}
      >
        Accept file
      </Button>
    </>
  );
}
