import type { ChangeSet } from '../../../../shared/model/change';
import type { FoldPort } from './fold';
import { loaderOf } from './load-state';
import { lookAt } from './look';
import type { UndoPort } from './undo-port';

/** A rename that was renamed more often than this is not followed. */
const MAX_HOPS = 20;

/** The disk and the log as a fold over these entries reads them; `kept` are contents that are in the blob store. */
export function foldSource(
  { store, blobs, project }: UndoPort,
  sets: readonly ChangeSet[],
): { port: FoldPort; kept: Set<string> } {
  const { load, kept } = loaderOf(blobs);
  for (const { changes } of sets) {
    for (const { after } of changes) if (after?.isKept === true) kept.add(after.hash);
  }
  const own = new Set<string>(sets.map(({ id }) => id));
  /** Follows renames that came after an entry and are none of those being taken back. */
  const movedTo = (path: string, seq: number): string | null => {
    let [at, from] = [path, seq];
    for (let hops = 0; hops < MAX_HOPS; hops += 1) {
      // The first removal that stands took the file away; what was there later is another one.
      const left = store.changes.removals(project().id, at, from).find(({ id }) => !own.has(id));
      const to = left?.changes.find(({ movedFrom, after }) => movedFrom === at && after !== null);
      if (left === undefined || to === undefined) break;
      [at, from] = [to.path, left.seq];
    }
    return at === path ? null : at;
  };
  return { port: { load, movedTo, now: (path) => lookAt(project().files, path) }, kept };
}
