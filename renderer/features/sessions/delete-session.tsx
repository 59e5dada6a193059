import { useRef, useState } from 'react';
import type { SessionSummary } from '../../../shared/model/session';
import { useClient } from '../../lib/client-context';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { ErrorBox } from '../../ui/error-box';

/** Asks before a session goes for good. */
export function DeleteSession({ session, onClose }: { session: SessionSummary; onClose: () => void }) {
  const client = useClient();
  const keep = useRef<HTMLButtonElement>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const remove = async (): Promise<void> => {
    setBusy(true);
    try {
      await client.session.remove({ id: session.id });
      onClose();
    } catch (reason) {
      setError(reason);
      setBusy(false);
    }
  };
  const runs = session.activity === 'running' || session.activity === 'waiting';
  return (
    <Dialog
      title="Delete this session?"
      subtitle={session.title}
      icon="trash"
      tone="bad"
      width={440}
      onClose={onClose}
      initialFocus={keep}
      footer={
        <>
          <span className="ui-grow" />
          <Button ref={keep} onClick={onClose}>
            Keep
          </Button>
          <Button variant="danger" busy={busy} onClick={() => void remove()}>
            Delete
          </Button>
        </>
      }
    >
      <p>
        Its messages are deleted for good. Files stay as they are.
        {runs && ' It still runs and is ended first.'}
      </p>
      {error !== null && <ErrorBox error={error} />}
    </Dialog>
  );
}
