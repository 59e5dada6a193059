import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { EntryState, PathChange } from '../../../../shared/model/change';
import type { FileDiff } from '../../../../shared/model/diff';
import type { WorkspaceFiles } from '../../workspace/types';
import { MAX_KEPT_BYTES } from '../blobs/blob-store';
import type { WriteFacts } from './write-facts';

const USUAL_MODE = 0o644;

interface Sides {
  before: EntryState | null;
  after: EntryState | null;
}

/**
 * What a call of a file tool changed, from the diffs it made. Paths are the real ones: a file that was edited through a
 * link is the one that changed.
 */
export async function changesOfCall(
  diffs: readonly FileDiff[],
  files: WorkspaceFiles,
  facts: WriteFacts,
): Promise<PathChange[]> {
  const changes: PathChange[] = [];
  for (const diff of diffs) {
    if (diff.beforeHash === diff.afterHash && diff.movedFrom === undefined) continue;
    const path = await realPath(files, diff.path);
    const { before, after } = sidesOf(diff, join(files.root, path), facts);
    if (diff.movedFrom === undefined) {
      changes.push({ path, movedFrom: null, before, after });
      continue;
    }
    const movedFrom = await realPath(files, diff.movedFrom);
    changes.push(
      { path: movedFrom, movedFrom: null, before, after: null },
      { path, movedFrom, before: null, after },
    );
  }
  return changes;
}

/** A path that leads out by now is told as it was written. */
const realPath = async (files: WorkspaceFiles, path: string): Promise<string> =>
  await files.resolve(path).then(
    ({ realRelative }) => realRelative,
    () => path,
  );

function sidesOf(diff: FileDiff, absolute: string, facts: WriteFacts): Sides {
  const now = lstatSync(absolute, { throwIfNoEntry: false });
  const modeNow = now?.isFile() === true ? now.mode & 0o7777 : null;
  const source = diff.movedFrom ?? diff.path;
  const formerMode = (diff.beforeHash && facts.of(source, diff.beforeHash)?.mode) ?? modeNow ?? USUAL_MODE;
  const state = (path: string, hash: EntryState['hash'] | null, mode: number): EntryState | null => {
    if (hash === null) return null;
    const sizeBytes = facts.of(path, hash)?.sizeBytes ?? now?.size ?? 0;
    return { kind: 'file', hash, mode, sizeBytes, isKept: sizeBytes <= MAX_KEPT_BYTES };
  };
  return {
    before: state(source, diff.beforeHash, formerMode || USUAL_MODE),
    after: state(diff.path, diff.afterHash, modeNow ?? (formerMode || USUAL_MODE)),
  };
}
