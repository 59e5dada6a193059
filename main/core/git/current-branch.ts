import { readFile } from 'node:fs/promises';
import path from 'node:path';

const MAX_PARENTS = 40;

/**
 * The branch that is checked out, or the first seven digits of the commit when HEAD is detached; null without a repository.
 * Reads HEAD instead of running git, so that it costs nothing and runs nothing. Linked worktrees and submodules, whose
 * `.git` is a file, and folders below the repository's root work too.
 */
export async function currentBranch(root: string): Promise<string | null> {
  let folder = path.resolve(root);
  for (let level = 0; level < MAX_PARENTS; level += 1) {
    const head = await headOf(folder);
    if (head !== null) return nameOf(head);
    const parent = path.dirname(folder);
    if (parent === folder) return null;
    folder = parent;
  }
  return null;
}

async function headOf(folder: string): Promise<string | null> {
  const dotGit = path.join(folder, '.git');
  const direct = await readShort(path.join(dotGit, 'HEAD'));
  if (direct !== null) return direct;
  const pointer = /^gitdir: *(.+?)\s*$/m.exec((await readShort(dotGit)) ?? '')?.[1];
  return pointer === undefined ? null : await readShort(path.resolve(folder, pointer, 'HEAD'));
}

/** Null for whatever can't be read: a broken repository has no branch to show. */
async function readShort(file: string): Promise<string | null> {
  const text = await readFile(file, 'utf8').catch(() => null);
  return text === null ? null : text.slice(0, 4096);
}

function nameOf(head: string): string | null {
  const line = head.split('\n')[0]?.trim() ?? '';
  const branch = /^ref: *refs\/heads\/(.+)$/.exec(line)?.[1];
  if (branch !== undefined) return branch;
  return /^[0-9a-f]{40,64}$/.test(line) ? line.slice(0, 7) : null;
}
