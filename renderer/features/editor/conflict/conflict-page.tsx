import { useCallback, useEffect, useState } from 'react';
import type { ConflictView } from '../../../../shared/model/change';
import { toErrorShape } from '../../../../shared/error';
import { tellResult } from '../../../lib/changes/undo-flow';
import { useClient } from '../../../lib/client-context';
import { baseName } from '../../../lib/files/workspace-path';
import { useStore } from '../../../lib/store';
import { pushToast, toastError } from '../../../lib/toast-store';
import { windowStore } from '../../../lib/window-store';
import { Button } from '../../../ui/button';
import { EmptyState } from '../../../ui/empty-state';
import { ErrorBox } from '../../../ui/error-box';
import { Spinner } from '../../../ui/spinner';
import './conflict.css';
import { closeDraft } from './conflict-drafts';
import { ConflictSides } from './conflict-sides';

export interface ConflictPageProps {
  /** It is resolved or dropped: nothing is left to show. */
  onClose(): void;
}

type Load =
  | { kind: 'loading' }
  | { kind: 'failed'; error: unknown }
  | { kind: 'there'; view: ConflictView; isFresh: boolean };

/** A file where an undo met later changes in the same lines: both sides, and what becomes of each place. */
export function ConflictPage({ onClose }: ConflictPageProps) {
  const id = useStore(windowStore.conflict);
  return (
    <section className="cf" aria-label="Conflict">
      {id === null ? (
        <EmptyState icon="check" title="No conflict is open">
          Conflicts of an undo are opened from its row in the chat.
        </EmptyState>
      ) : (
        <OpenConflict key={id} id={id as ConflictView['id']} onClose={onClose} />
      )}
    </section>
  );
}

function useConflict(id: ConflictView['id']) {
  const client = useClient();
  const [load, setLoad] = useState<Load>({ kind: 'loading' });
  const look = useCallback(
    async (isFresh: boolean): Promise<void> => {
      try {
        setLoad({ kind: 'there', view: await client.changes.conflict({ id }), isFresh });
      } catch (error) {
        setLoad({ kind: 'failed', error });
      }
    },
    [client, id],
  );
  useEffect(() => void look(false), [look]);
  return { load, look };
}

function OpenConflict({ id, onClose }: { id: ConflictView['id'] } & ConflictPageProps) {
  const client = useClient();
  const { load, look } = useConflict(id);
  if (load.kind === 'loading') {
    return (
      <div className="cf-wait">
        <Spinner />
      </div>
    );
  }
  if (load.kind === 'failed') {
    const gone = toErrorShape(load.error).code === 'not_found';
    return (
      <div className="cf-wait">
        <ErrorBox
          title={gone ? 'This conflict is closed already' : 'The conflict can’t be shown'}
          error={load.error}
          actions={
            <>
              {!gone && <Button onClick={() => void look(false)}>Try again</Button>}
              <Button onClick={onClose}>Close</Button>
            </>
          }
        />
      </div>
    );
  }
  const { view, isFresh } = load;
  const name = baseName(view.path);
  const save = async (text: string | null): Promise<void> => {
    try {
      const result = await client.changes.resolve({ id, text, currentHash: view.currentHash });
      closeDraft(id);
      tellResult(client, `${name} is resolved`, result, false);
      onClose();
    } catch (error) {
      if (toErrorShape(error).code !== 'stale') throw error;
      await look(true);
    }
  };
  const drop = (): void => {
    client.changes.dropConflict({ id }).then(() => {
      closeDraft(id);
      pushToast({ tone: 'info', title: `${name} was left as it is` });
      onClose();
    }, toastError);
  };
  return (
    <ConflictSides
      key={view.currentHash ?? 'none'}
      view={view}
      isFresh={isFresh}
      onSave={save}
      onDrop={drop}
    />
  );
}
