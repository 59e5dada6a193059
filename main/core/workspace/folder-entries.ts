import { stat } from 'node:fs/promises';
import type { FileEntry } from '../../../shared/contract/files';
import type { GitIgnore } from './git-ignore';
import type { WorkspaceFiles } from './types';

const byName = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

const isFolder = (entry: FileEntry): boolean => entry.kind === 'folder' || entry.target === 'folder';

/** Folders first, numbers by value; names that differ in case only keep a fixed order. */
function inOrder(a: FileEntry, b: FileEntry): number {
  return (
    Number(isFolder(b)) - Number(isFolder(a)) || byName.compare(a.name, b.name) || (a.name < b.name ? -1 : 1)
  );
}

/** What a link leads to; null when that is nothing, no file and no folder, or outside the project. */
async function targetOf(files: WorkspaceFiles, path: string): Promise<FileEntry['target']> {
  try {
    const facts = await stat((await files.resolve(path)).absolute);
    if (facts.isDirectory()) return 'folder';
    return facts.isFile() ? 'file' : null;
  } catch {
    return null;
  }
}

/**
 * Entries of a folder as the explorer shows them, without git's own folder.
 *
 * @throws AppError `not_found`, `bad_argument`, and those of the path jail
 */
export async function listEntries(
  files: WorkspaceFiles,
  gitIgnore: GitIgnore,
  path: string,
): Promise<FileEntry[]> {
  const { relative, realRelative } = await files.resolve(path);
  const isIgnored = await gitIgnore.forFolder(realRelative);
  const entries = (await files.list(path)).filter(({ name }) => name !== '.git');
  const listed = await Promise.all(
    entries.map(async ({ name, kind }): Promise<FileEntry> => {
      const own = relative === '' ? name : `${relative}/${name}`;
      const target = kind === 'link' ? await targetOf(files, own) : null;
      return { name, path: own, kind, target, ignored: isIgnored(name, kind === 'folder') };
    }),
  );
  return listed.sort(inOrder);
}
