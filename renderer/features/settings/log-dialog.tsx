import { useCallback, useEffect, useRef, useState } from 'react';
import { useClient } from '../../lib/client-context';
import { pushToast, toastError } from '../../lib/toast-store';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { ErrorBox } from '../../ui/error-box';
import './settings.css';

const SHOWN_BYTES = 200_000;

/** The newest part of the log, to read and to copy into a report. */
export function LogDialog({ onClose }: { onClose: () => void }) {
  const client = useClient();
  const [log, setLog] = useState<{ path: string; text: string } | null>(null);
  const [error, setError] = useState<unknown>(null);
  const box = useRef<HTMLPreElement>(null);
  const load = useCallback(async (): Promise<void> => {
    try {
      setLog(await client.app.readLog({ maxBytes: SHOWN_BYTES }));
      setError(null);
    } catch (reason) {
      setError(reason);
    }
  }, [client]);
  useEffect(() => void load(), [load]);
  useEffect(() => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [log]);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(log?.text ?? '');
    pushToast({ tone: 'ok', title: 'Log copied' });
  };
  return (
    <Dialog
      title="Log"
      subtitle={log?.path}
      icon="output"
      width={880}
      onClose={onClose}
      footer={
        <>
          <Button onClick={() => void load()}>Read again</Button>
          <span className="ui-grow" />
          <Button icon="copy" disabled={log === null} onClick={() => void copy().catch(toastError)}>
            Copy
          </Button>
          <Button variant="primary" onClick={onClose}>
            Close
          </Button>
        </>
      }
    >
      {error !== null && <ErrorBox title="The log could not be read" error={error} />}
      <pre ref={box} className="log-text" tabIndex={0} aria-label="Log text">
        {log?.text === '' ? 'The log is empty.' : log?.text}
      </pre>
    </Dialog>
  );
}
