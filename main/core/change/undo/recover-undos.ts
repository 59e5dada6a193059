import { AppError } from '../../../../shared/error';
import type { PathChange } from '../../../../shared/model/change';
import { openWorkspaceFiles } from '../../workspace/workspace-files';
import type { WorkspaceFiles } from '../../workspace/types';
import { carryOut } from './carry-out';
import { finish } from './finish';
import { same, type Held, type LoadState } from './held';
import type { Intent } from './intents';
import { loaderOf } from './load-state';
import { lookAt } from './look';
import type { UndoPort } from './undo-port';

type Side = 'before' | 'after' | null;

/**
 * Brings undos to an end that a process left when it died: one whose files were written is stored, of one whose files were
 * taken back by the journal the rest is taken back too. Call it after `recoverFileSets`.
 *
 * @returns how many were stored
 */
export async function recoverUndos(port: UndoPort, onError: (error: unknown) => void): Promise<number> {
  let stored = 0;
  for (const { name, intent } of await port.intents.left()) {
    try {
      if (await recover(port, intent)) stored += 1;
    } catch (error) {
      onError(error);
      // A folder that is not there now may come back; everything else would fail the same way again.
      if (error instanceof AppError && ['folder_missing', 'folder_unreadable'].includes(error.code)) continue;
    }
    await port.intents.end(name);
  }
  return stored;
}

async function recover(port: UndoPort, intent: Intent): Promise<boolean> {
  const files = await openWorkspaceFiles(intent.root);
  const { changes } = intent.set;
  const sides = await Promise.all(changes.map((change) => sideOf(files, change)));
  const ofFiles = sides.filter((_, at) => isOfFile(changes[at] as PathChange));
  // Links and folders come after the files; where there are no files, what was begun is brought to its end.
  const isWritten = ofFiles.length === 0 || (ofFiles.includes('after') && !ofFiles.includes('before'));
  const wanted = isWritten ? 'after' : 'before';
  const rest = changes.filter(
    (change, at) => !isOfFile(change) && sides[at] !== wanted && sides[at] !== null,
  );
  await settle(port, files, rest, wanted);
  if (!isWritten) return false;
  const isThere = intent.sessionId !== null && port.store.sessions.get(intent.sessionId) !== null;
  finish(port, intent, isThere && intent.sessionId ? port.catalog.runtime(intent.sessionId) : null);
  return true;
}

const isOfFile = ({ before, after }: PathChange): boolean =>
  before?.kind === 'file' || after?.kind === 'file';

async function sideOf(files: WorkspaceFiles, { path, before, after }: PathChange): Promise<Side> {
  const now = await lookAt(files, path);
  if ('refusal' in now) return null;
  if (same(now.held, after)) return 'after';
  return same(now.held, before) ? 'before' : null;
}

async function settle(
  port: UndoPort,
  files: WorkspaceFiles,
  changes: readonly PathChange[],
  wanted: 'before' | 'after',
): Promise<void> {
  const load = loaderOf(port.blobs).load;
  const transitions = await Promise.all(changes.map((change) => transitionTo(files, change, wanted, load)));
  await carryOut(
    transitions.flatMap((each) => each ?? []),
    { files, journal: port.journal, keepsFolder: () => true },
  );
}

async function transitionTo(
  files: WorkspaceFiles,
  change: PathChange,
  wanted: 'before' | 'after',
  load: LoadState,
): Promise<{ path: string; from: Held | null; to: Held | null } | null> {
  const now = await lookAt(files, change.path);
  const state = change[wanted];
  const to = state && (await load(state));
  if ('refusal' in now || (state !== null && to === null)) return null;
  return { path: change.path, from: now.held, to };
}
