import { readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

const MAX_HEAD_BYTES = 4096;
const SHORT_COMMIT_CHARS = 7;

/** Text of a small regular file; null for anything else, so that a FIFO or device can't block us. */
async function readSmall(path: string): Promise<string | null> {
  try {
    const facts = await stat(path);
    if (!facts.isFile() || facts.size > MAX_HEAD_BYTES) return null;
    return await readFile(path, 'utf8');
  } catch {
    return null;
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}

/** The folder with HEAD of the repository that `root` lies in; a `.git` file (worktree, submodule) is followed. */
export async function findGitDir(root: string): Promise<string | null> {
  for (let folder = root; ; folder = dirname(folder)) {
    const path = join(folder, '.git');
    if (await isFolder(path)) return path;
    const pointer = /^gitdir: (.+)$/m.exec((await readSmall(path)) ?? '')?.[1];
    if (pointer !== undefined) return resolve(folder, pointer.trim());
    if (dirname(folder) === folder) return null;
  }
}

/** Name of the branch that is checked out, the short commit when none is, null without a repository. No git is run. */
export async function readBranch(gitDir: string | null): Promise<string | null> {
  if (gitDir === null) return null;
  const head = (await readSmall(join(gitDir, 'HEAD')))?.trim() ?? '';
  const branch = /^ref: refs\/heads\/(.+)$/.exec(head)?.[1];
  if (branch !== undefined) return branch;
  return /^[0-9a-f]{40,64}$/.test(head) ? head.slice(0, SHORT_COMMIT_CHARS) : null;
}
