import { AppError } from '../../../shared/error';
import type { FileDiff } from '../../../shared/model/diff';
import type { CallId } from '../../../shared/model/ids';
import type { SessionRuntime } from '../session/session-runtime';
import type { WorkspaceFiles } from '../workspace/types';
import { keepBeforeImages } from './before-images';
import type { Blobs, ChangeLog, ChangeStore } from './types';
import type { ChangeSet, PathChange } from '../../../shared/model/change';

interface Found {
  turnId: string;
  diff: FileDiff;
}

function findDiff(runtime: SessionRuntime, callId: string, path: string): Found | null {
  for (const item of runtime.viewWithCall(callId).items) {
    if (item.kind !== 'step') continue;
    for (const call of item.calls) {
      const entry = call.callId === callId ? call.diffs.find(({ diff }) => diff.path === path) : undefined;
      if (entry && !entry.reverted) return { turnId: item.turnId, diff: entry.diff };
    }
  }
  return null;
}

const stale = (path: string): AppError =>
  new AppError('stale', `${path} was changed after this edit, so it was left as it is.`, {
    hint: 'Undo the later change first, or take the lines back by hand in the editor.',
  });

async function putBack(files: WorkspaceFiles, images: Blobs, diff: FileDiff): Promise<void> {
  const { path, movedFrom, beforeHash, afterHash } = diff;
  if ((await files.hashOf(path)) !== afterHash) throw stale(path);
  if (beforeHash !== null) {
    // A file that was only moved is its own image.
    const bytes = await (beforeHash === afterHash ? load(files, path) : images.load(beforeHash));
    if (!bytes) {
      throw new AppError(
        'not_found',
        `The former content of ${path} was not kept (files over 5 MB are not).`,
      );
    }
    if (movedFrom === undefined) {
      await files.writeBytes(path, bytes, { expectedHash: afterHash });
      return;
    }
    const { mode } = await files.readBytes(path);
    await files.writeBytes(movedFrom, bytes, { expectedHash: null, mode });
  }
  if (afterHash !== null) await files.removeFile(path, { expectedHash: afterHash });
}

const load = async (files: WorkspaceFiles, path: string): Promise<Buffer> =>
  (await files.readBytes(path)).bytes;

/** Where the revert is written down. */
export interface RevertLog {
  log: Pick<ChangeLog, 'list' | 'record'>;
  store: Pick<ChangeStore, 'markUndone'>;
}

/** The entry of the call and what it says of the file, when there is one: calls from before the log have none. */
function entryOf(
  { log }: RevertLog,
  sessionId: string,
  callId: string,
  { path, movedFrom }: FileDiff,
): { set: ChangeSet; changes: PathChange[] } | null {
  for (const set of log.list({ sessionId, callId })) {
    if (set.author.kind === 'undo') continue;
    const changes = set.changes.filter((each) => each.path === path || each.path === movedFrom);
    if (changes.length > 0) return { set, changes };
  }
  return null;
}

/** The revert is an entry of its own: the files it wrote, the other way round. */
function record(changes: RevertLog, sessionId: string, callId: string, diff: FileDiff): void {
  const entry = entryOf(changes, sessionId, callId, diff);
  if (entry === null) return;
  const back = entry.changes.map((each) => ({
    path: each.path,
    movedFrom: null,
    before: each.after,
    after: each.before,
  }));
  const made = changes.log.record({
    author: { kind: 'undo', cause: 'undo', undoes: [entry.set.id] },
    label: `Reverted \`${diff.path}\``,
    changes: back,
  });
  // One file of several: the rest of the entry still stands.
  if (entry.changes.length === entry.set.changes.length) changes.store.markUndone(entry.set.id, made.id);
}

/**
 * Puts one file back to what it was before one call's edit, only when its bytes are still what the edit left. The model
 * is told, so that it does not build on an edit that is gone.
 *
 * @throws AppError `not_found` (no such edit, or reverted already), `stale`, and those of the files port
 */
export async function revertEdit(
  runtime: SessionRuntime,
  files: WorkspaceFiles,
  images: Blobs,
  callId: CallId,
  path: string,
  changes: RevertLog,
): Promise<void> {
  const found = findDiff(runtime, callId, path);
  if (!found) throw new AppError('not_found', 'There is no such edit to revert, or it was reverted already.');
  const { diff, turnId } = found;
  await putBack(keepBeforeImages(files, images), images, diff);
  record(changes, runtime.id, callId, diff);
  const note = `<context>The user reverted your edit of ${path} (call ${callId}). The file is as it was before that edit.</context>`;
  runtime.log.append(
    turnId,
    [{ type: 'diff.reverted', callId, path, diff }],
    [runtime.history.append({ role: 'user', content: note })],
  );
}
