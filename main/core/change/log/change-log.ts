import { AppError } from '../../../../shared/error';
import type { ChangeSet, EntryState } from '../../../../shared/model/change';
import { decodeText } from '../../edit/text-codec';
import type { ChangeTables } from '../../store/change-store';
import type { Blobs, ChangeLog } from '../types';

/** Listeners hear of many entries at once, at most this late, in milliseconds. */
const TELL_MS = 50;
/** More paths than this are told as "many". */
const MAX_TOLD_PATHS = 200;

export interface ChangeLogOptions {
  store: ChangeTables;
  blobs: Blobs;
  /** The folder's own id, when a project is open. */
  projectId(): string | null;
}

/** Gathers what changed and tells it once. */
class Teller {
  private readonly listeners = new Set<(paths: readonly string[] | null) => void>();
  private waiting: Set<string> | null = new Set();
  private timer: NodeJS.Timeout | null = null;

  listen(listener: (paths: readonly string[] | null) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  tell(paths: readonly string[] | null): void {
    if (paths === null) this.waiting = null;
    for (const path of paths ?? []) this.waiting?.add(path);
    if (this.waiting !== null && this.waiting.size > MAX_TOLD_PATHS) this.waiting = null;
    this.timer ??= setTimeout(() => this.flush(), TELL_MS);
    this.timer.unref();
  }

  private flush(): void {
    this.timer = null;
    const told = this.waiting === null ? null : [...this.waiting];
    this.waiting = new Set();
    for (const listener of this.listeners) listener(told);
  }
}

/** The change log of the open project. */
export function createChangeLog({ store, blobs, projectId }: ChangeLogOptions): ChangeLog {
  const teller = new Teller();
  const requireProject = (): string => {
    const id = projectId();
    if (id !== null) return id;
    throw new AppError('no_project', 'No project is open.', { hint: 'Open a folder first.' });
  };
  const told = (set: ChangeSet): ChangeSet => {
    teller.tell(set.changes.map(({ path }) => path));
    return set;
  };
  store.staged.onStored(told);
  return {
    record: (set) => told(store.record(requireProject(), set)),
    list: (filter) => store.list(requireProject(), filter),
    texts: async (setId, path) => {
      const change = store.get(setId)?.changes.find((each) => each.path === path);
      if (!change) throw new AppError('not_found', `The log has no such change of ${path}.`);
      return {
        before: await textOf(change.before, path, blobs),
        after: await textOf(change.after, path, blobs),
      };
    },
    onChange: (listener) => teller.listen(listener),
    tell: (paths) => teller.tell(paths),
  };
}

async function textOf(state: EntryState | null, path: string, blobs: Blobs): Promise<string | null> {
  if (state === null) return null;
  if (state.kind === 'folder') return '';
  const bytes = state.isKept ? await blobs.load(state.hash) : null;
  if (bytes !== null) return (await decodeText(bytes, path)).text;
  throw new AppError('not_found', `The content of ${path} at that time is not kept.`, {
    hint: 'Contents over 5 MB are not kept, and old ones make room for new ones.',
    detail: { path },
  });
}
