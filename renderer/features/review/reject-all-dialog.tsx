import type { ReviewFile } from '../../../shared/model/change';
import { formatCount } from '../../lib/format';
import { pendingTotals, totalsWords } from '../../lib/review/review-words';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';

/** Most files that are named. */
const NAMED = 8;

export interface RejectAllDialogProps {
  files: readonly ReviewFile[];
  onReject: () => void;
  onClose: () => void;
}

/** Asked before the changes of several files are taken back at once. */
export function RejectAllDialog({ files, onReject, onClose }: RejectAllDialogProps) {
  const totals = pendingTotals(files);
  const fixed = files.filter(({ canReject }) => !canReject).length;
  return (
    <Dialog
      title={`Reject all changes in ${formatCount(totals.files, 'file')}?`}
      subtitle={totalsWords(totals)}
      icon="discard"
      width={460}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <span className="ui-grow" />
          <Button
            variant="danger"
            onClick={() => {
              onClose();
              onReject();
            }}
          >
            Reject all
          </Button>
        </>
      }
    >
      <p className="ui-soft">
        The agent’s lines are taken out again; what you changed yourself stays. The agent is told, and each
        rejection can be undone.
      </p>
      <ul className="rv-named">
        {files.slice(0, NAMED).map(({ path }) => (
          <li key={path} className="ui-clip">
            {path}
          </li>
        ))}
        {files.length > NAMED && <li className="ui-muted">{`and ${files.length - NAMED} more`}</li>}
      </ul>
      {fixed > 0 && (
        <p className="ui-soft">{`${formatCount(fixed, 'file')} can’t be put back and will stay pending.`}</p>
      )}
    </Dialog>
  );
}
