import { memo, useState } from 'react';
import type { FileDiff } from '../../../shared/model/diff';
import type { CallId } from '../../../shared/model/ids';
import { type ErrorShape, toErrorShape } from '../../../shared/error';
import { useClient } from '../../lib/client-context';
import { DiffCard } from '../../lib/diff/diff-card';
import { Button } from '../../ui/button';
import { Icon } from '../../ui/icon';
import { useChat, useSession } from './chat-context';

/** A change the agent made, with one click to take it back while the file is still as the agent left it. */
export const EditCard = memo(function EditCard({
  callId,
  diff,
  reverted,
}: {
  callId: CallId;
  diff: FileDiff;
  reverted: boolean;
}) {
  const client = useClient();
  const session = useSession();
  const { onOpenFile, onShowDiff } = useChat();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ErrorShape | null>(null);
  const attempt = async (work: Promise<unknown>): Promise<void> => {
    setFailure(null);
    try {
      await work;
    } catch (error) {
      setFailure(toErrorShape(error));
    }
  };
  const revert = async (): Promise<void> => {
    setBusy(true);
    await attempt(client.turn.revertEdit({ sessionId: session.id, callId, path: diff.path }));
    setBusy(false);
  };
  return (
    <DiffCard
      key={reverted ? 'reverted' : 'kept'}
      diff={diff}
      onOpenFile={onOpenFile}
      edit={{ sessionId: session.id, callId, path: diff.path }}
      {...(onShowDiff && { onShowDiff: (edit) => void attempt(onShowDiff(edit)) })}
      {...(reverted ? { startOpen: false, note: 'reverted' } : {})}
      actions={
        reverted ? undefined : (
          <Button variant="quiet" size="small" busy={busy} onClick={() => void revert()}>
            Revert
          </Button>
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
