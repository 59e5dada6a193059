import { memo, useId, useState } from 'react';
import { OutcomeList } from '../../lib/changes/outcome-list';
import { sessionUndo } from '../../lib/changes/session-undo';
import { showConflict } from '../../lib/changes/undo-flow';
import type { UndoItem } from '../../lib/changes/undo-index';
import { baseName } from '../../lib/files/workspace-path';
import { useStore } from '../../lib/store';
import { Button } from '../../ui/button';
import { Icon } from '../../ui/icon';
import { useSession } from './chat-context';
import { LabelText } from './label-text';
import { RedoButton } from './undo-actions';
import { undoWords } from './undo-words';

/** Changes that were taken back, or done again, at this point of the session: which files, and what can be done about it. */
export const UndoRow = memo(function UndoRow({ item }: { item: UndoItem }) {
  const { undo } = item;
  const [open, setOpen] = useState(false);
  const bodyId = useId();
  const isConflict = undo.conflicts.length > 0;
  return (
    <section className="ch-undo" role="group" aria-label="Undo">
      <div className="ch-effects-head">
        <button
          type="button"
          className="ch-effects-toggle"
          aria-expanded={open}
          aria-controls={open ? bodyId : undefined}
          onClick={() => setOpen(!open)}
        >
          <Icon
            name={undo.cause === 'redo' ? 'redo' : 'discard'}
            size={14}
            className={isConflict ? 'ui-warn' : 'ui-accent'}
          />
          <span className="ch-undo-words">
            <LabelText text={undoWords(undo)} />
          </span>
          <Icon name={open ? 'chevron-down' : 'chevron-right'} size={14} className="ui-muted" />
        </button>
        <UndoRowEnd item={item} />
      </div>
      {undo.conflicts.map(({ id, path }) => (
        <ConflictLine key={id} id={id} path={path} />
      ))}
      {open && (
        <div id={bodyId} className="ch-effects-body">
          <OutcomeList files={undo.files} more={undo.more} label="Files" />
        </div>
      )}
    </section>
  );
});

/** Redo, or what took this back. */
function UndoRowEnd({ item }: { item: UndoItem }) {
  const session = useSession();
  const by = useStore(session.state, (state) => sessionUndo(state).takenBackBy.get(item.key) ?? null);
  const { setId, cause } = item.undo;
  if (by) return <span className="ch-undo-end">{cause === 'redo' ? 'Undone again' : 'Done again'}</span>;
  if (setId === null || cause === 'redo' || cause === 'resolve') return null;
  return <RedoButton setId={setId} />;
}

function ConflictLine({ id, path }: { id: string; path: string }) {
  const session = useSession();
  const resolved = useStore(session.state, (state) => sessionUndo(state).resolved.has(id));
  return (
    <div className="ch-receipt-line">
      <Icon name="warning" size={14} className="ui-warn" />
      <span className="ui-grow">{`${baseName(path)}: later changes are in the same lines, so it was left as it is.`}</span>
      {resolved ? (
        <span className="ch-undo-end">Resolved</span>
      ) : (
        <Button variant="quiet" size="small" onClick={() => showConflict(id)}>
          Resolve…
        </Button>
      )}
    </div>
  );
}
