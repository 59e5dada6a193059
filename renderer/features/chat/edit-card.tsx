import { memo, useState } from 'react';
import type { FileDiff } from '../../../shared/model/diff';
import type { CallId } from '../../../shared/model/ids';
import { type ErrorShape, toErrorShape } from '../../../shared/error';
import { sessionUndo } from '../../lib/changes/session-undo';
import { editKey } from '../../lib/changes/undo-index';
import { useClient } from '../../lib/client-context';
import { DiffCard } from '../../lib/diff/diff-card';
import { splitPath } from '../../lib/format';
import { useStore } from '../../lib/store';
import { Icon } from '../../ui/icon';
import { useChat, useSession } from './chat-context';
import { CallUndo } from './undo-actions';

/** A change the agent made, with one click to take it back; later changes of other lines stay. */
export const EditCard = memo(function EditCard({
  callId,
  diff,
  reverted,
  byCommand = false,
}: {
  callId: CallId;
  diff: FileDiff;
  reverted: boolean;
  byCommand?: boolean;
}) {
  const client = useClient();
  const session = useSession();
  const { onOpenFile, onShowDiff } = useChat();
  const [failure, setFailure] = useState<ErrorShape | null>(null);
  const taken = useStore(session.state, (state) => sessionUndo(state).edits.has(editKey(callId, diff.path)));
  const undone = reverted || taken;
  const attempt = async (work: Promise<unknown>): Promise<void> => {
    setFailure(null);
    try {
      await work;
    } catch (error) {
      setFailure(toErrorShape(error));
    }
  };
  // While the turn goes on nothing is merged: an edit that is still as the agent left it is put back as a whole.
  const revert = (): Promise<void> =>
    attempt(client.turn.revertEdit({ sessionId: session.id, callId, path: diff.path }));
  const { name } = splitPath(diff.path);
  return (
    <DiffCard
      key={undone ? 'undone' : 'kept'}
      diff={diff}
      onOpenFile={onOpenFile}
      edit={{ sessionId: session.id, callId, path: diff.path }}
      {...(onShowDiff && { onShowDiff: (edit) => void attempt(onShowDiff(edit)) })}
      {...(undone ? { startOpen: false, note: 'undone' } : {})}
      actions={
        undone ? undefined : (
          <CallUndo
            callId={callId}
            path={diff.path}
            what={`the change of ${name}`}
            label="Undo"
            whileRunning={byCommand ? undefined : revert}
          />
        )
      }
    >
      {failure && (
        <div className="ch-stale" role="alert">
          <Icon name="warning" size={14} className="ui-warn" />
          <span>
            {failure.message}
            {failure.hint !== undefined && <span className="ui-soft">{` ${failure.hint}`}</span>}
          </span>
        </div>
      )}
    </DiffCard>
  );
});
