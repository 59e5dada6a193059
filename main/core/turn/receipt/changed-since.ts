import type { WorkspaceFiles } from '../../workspace/types';

/** Files that are read at the same time. */
const LANES = 8;

/**
 * The paths among `files` whose bytes are no longer those of their hash (null: no file). One that can't be read, or that a
 * link now leads out of the project, counts as changed: nothing can be said for it any more.
 */
export async function changedSince(
  files: Pick<WorkspaceFiles, 'hashOf'>,
  wanted: readonly { path: string; hash: string | null }[],
): Promise<string[]> {
  const open = [...wanted];
  const changed = new Set<string>();
  const lanes = Array.from({ length: Math.min(LANES, open.length) }, async () => {
    for (let file = open.shift(); file; file = open.shift()) {
      const now = await files.hashOf(file.path).catch(() => undefined);
      if (now !== file.hash) changed.add(file.path);
    }
  });
  await Promise.all(lanes);
  return wanted.flatMap(({ path }) => (changed.has(path) ? [path] : []));
}
