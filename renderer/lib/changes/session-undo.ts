import type { ItemView } from '../../../shared/model/session-view';
import type { SessionState } from '../session-paging';
import { undoIndex, undoIndexOf, type UndoIndex } from './undo-index';

/** While an older part is on screen the newest items lie apart from it, and the undo of what is there may be among them. */
const apart = new WeakMap<readonly ItemView[], { newest: readonly ItemView[]; index: UndoIndex }>();

/** What is taken back of all that a window has of a session. */
export function sessionUndo({ view, past }: Pick<SessionState, 'view' | 'past'>): UndoIndex {
  if (!past) return undoIndexOf(view.items);
  const known = apart.get(past.items);
  if (known?.newest === view.items) return known.index;
  const keys = new Set(past.items.map(({ key }) => key));
  const index = undoIndex([...past.items, ...view.items.filter(({ key }) => !keys.has(key))]);
  apart.set(past.items, { newest: view.items, index });
  return index;
}
