export interface FileChange {
  /** Workspace-relative, `/`-separated. */
  path: string;
  change: 'created' | 'changed' | 'removed';
}

/** More changes than this at once are an overflow: reading anew is cheaper than applying them. */
const MAX_BATCH = 5000;
/** More changes than this inside one `node_modules` become one change of that folder. */
const MAX_PACKAGE_CHANGES = 50;

const GIT_NEWS = /(?:^|\/)\.git\/(?:HEAD|index|packed-refs|MERGE_HEAD|refs\/.*)$/;
const IN_GIT = /(?:^|\/)\.git\//;

/** Unfinished writes and git's inner life; of the latter only what changes branch, index or refs is news. */
export function isNoise(path: string, tempPrefix: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (name.startsWith(tempPrefix)) return true;
  return IN_GIT.test(path) && (!GIT_NEWS.test(path) || name.endsWith('.lock'));
}

function packageFolder(path: string): string | null {
  const at = `/${path}`.indexOf('/node_modules/');
  return at === -1 ? null : path.slice(0, at + 'node_modules'.length);
}

/** Replaces a flood inside `node_modules` by one change of the folder and a flood of any kind by an overflow. */
export function squeeze(
  changes: readonly FileChange[],
  overflow: boolean,
): { paths: FileChange[]; overflow: boolean } {
  const counts = new Map<string, number>();
  for (const { path } of changes) {
    const folder = packageFolder(path);
    if (folder !== null) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  const flooded = new Set(
    [...counts].filter(([, count]) => count > MAX_PACKAGE_CHANGES).map(([folder]) => folder),
  );
  const kept = changes.filter(({ path }) => !flooded.has(packageFolder(path) ?? '\0'));
  const paths = [...kept, ...[...flooded].map((path) => ({ path, change: 'changed' as const }))];
  return paths.length > MAX_BATCH ? { paths: [], overflow: true } : { paths, overflow };
}
