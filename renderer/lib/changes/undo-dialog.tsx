import { useRef, useState } from 'react';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { ErrorBox } from '../../ui/error-box';
import { useStore } from '../store';
import { CannotList, OutcomeList } from './outcome-list';
import { isNothing, resultWords } from './outcome-words';
import { undoAskStore, type UndoAsk } from './undo-flow';

/** Asks before an undo where something is in doubt; see `undoAskStore`. */
export function UndoDialogHost() {
  const ask = useStore(undoAskStore);
  return ask && <UndoDialog ask={ask} onClose={() => undoAskStore.set(null)} />;
}

function UndoDialog({ ask, onClose }: { ask: UndoAsk; onClose: () => void }) {
  const { preview, what, run } = ask;
  const cancel = useRef<HTMLButtonElement>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const go = async (): Promise<void> => {
    setBusy(true);
    try {
      await run();
      onClose();
    } catch (reason) {
      setError(reason);
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={`Undo ${what}?`}
      subtitle={resultWords(preview) === '' ? undefined : `${resultWords(preview)}.`}
      icon="discard"
      width={520}
      onClose={onClose}
      initialFocus={cancel}
      footer={
        <>
          <span className="ui-grow" />
          <Button ref={cancel} onClick={onClose}>
            Cancel
          </Button>
          <Button variant="primary" busy={busy} disabled={isNothing(preview)} onClick={() => void go()}>
            Undo
          </Button>
        </>
      }
    >
      <OutcomeList files={preview.files} ahead label="Files" />
      {preview.files.some(({ outcome }) => outcome === 'conflict') && (
        <p className="cg-note">
          Files in conflict stay as they are. You can resolve them line by line afterwards.
        </p>
      )}
      <CannotList cannot={preview.cannot} />
      {error !== null && <ErrorBox error={error} />}
    </Dialog>
  );
}
