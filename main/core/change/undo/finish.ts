import type { ChangeSet } from '../../../../shared/model/change';
import type { SessionRuntime } from '../../session/session-runtime';
import type { ChangeStore } from '../types';
import { ConflictList } from './conflict-list';
import type { Intent } from './intents';
import type { UndoPort } from './undo-port';
import { noteFor } from './words';

/** What an undo that was carried out leaves in the store. */
export type Outcome = Omit<Intent, 'pid' | 'started' | 'root'>;

/**
 * Stores what an undo did: its entry, the marks of what it took back, its conflicts, and the word to the session. Doing it
 * twice does nothing twice.
 *
 * @returns the entry; null when nothing was written
 */
export function finish(port: UndoPort, outcome: Outcome, runtime: SessionRuntime | null): ChangeSet | null {
  const { store, log } = port;
  const { projectId, set, done, undo } = outcome;
  const needsEntry = set.changes.length > 0 || done.length > 0;
  const entry = needsEntry ? (store.changes.get(set.id) ?? store.changes.record(projectId, set)) : null;
  if (entry !== null) for (const id of done) mark(store.changes, id, entry.id);
  const list = new ConflictList(store.state);
  // What is taken back now is no conflict any more.
  list.remove(projectId, (open) => open.sets.every((id) => done.includes(id)));
  if (outcome.conflicts.length > 0) list.add(projectId, outcome.conflicts);
  log.tell(set.changes.map(({ path }) => path));
  const setId = set.changes.length === 0 ? null : (entry?.id ?? null);
  if (runtime !== null) tellSession(port, runtime, { ...undo, setId });
  return setId === null ? null : entry;
}

/** Marks an entry as taken back, and what it had taken back itself as there again. */
export function mark(store: ChangeStore, id: string, by: string | null, depth = 0): void {
  const set = store.get(id);
  if (set === null) return;
  store.markUndone(id, by);
  if (set.author.kind !== 'undo' || depth > 50) return;
  for (const undone of set.author.undoes) mark(store, undone, by === null ? id : null, depth + 1);
}

function tellSession(port: UndoPort, runtime: SessionRuntime, undo: Outcome['undo']): void {
  const isTold = runtime.view.items.some(
    (item) => item.kind === 'undo' && undo.setId !== null && item.undo.setId === undo.setId,
  );
  if (isTold) return;
  const turnId = port.lastTurnOf(runtime);
  const note = runtime.history.append({ role: 'user', content: noteFor(undo) });
  runtime.log.append(turnId, [{ type: 'files.undone', undo }], [note]);
}
