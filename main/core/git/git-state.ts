import { readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { GitDoing } from '../../../shared/model/git-doing';

/** What is checked out in a repository and what git is in the middle of there. */
export interface GitState {
  /** The branch, also while it is being rebased; the short commit where there is none. Null where HEAD says neither. */
  branch: string | null;
  isDetached: boolean;
  doing: GitDoing | null;
  /** A repository without files of its own. */
  isBare: boolean;
  /** Its history was cut when it was cloned. */
  isShallow: boolean;
  /** A git process holds the index, or one that has died left its lock behind: since when, epoch milliseconds. */
  lockedSince: number | null;
}

const MAX_SMALL_BYTES = 4096;
const SHORT_COMMIT_CHARS = 7;

/** What lies in a git folder while git waits for a person, in the order in which it counts. */
const SIGNS: readonly (readonly [file: string, doing: GitDoing])[] = [
  ['rebase-merge', 'rebasing'],
  ['rebase-apply/applying', 'applying patches'],
  ['rebase-apply', 'rebasing'],
  ['MERGE_HEAD', 'merging'],
  ['CHERRY_PICK_HEAD', 'cherry-picking'],
  ['REVERT_HEAD', 'reverting'],
  ['BISECT_LOG', 'bisecting'],
];

/**
 * The folder with HEAD of the repository that `root` lies in; a `.git` file (worktree, submodule) is followed, and a bare
 * repository is its own. Null without one.
 */
export async function findGitDir(root: string): Promise<string | null> {
  for (let folder = root; ; folder = dirname(folder)) {
    const path = join(folder, '.git');
    if (await isFolder(path)) return path;
    const pointer = /^gitdir: *(.+?)\s*$/m.exec((await readSmall(path)) ?? '')?.[1];
    if (pointer !== undefined) return resolve(folder, pointer);
    if (dirname(folder) === folder) return (await isBareFolder(root)) ? root : null;
  }
}

/** Reads the state from the files of a git folder. Runs no git, so that it costs nothing and works without git (case-T09). */
export async function readGitState(gitDir: string | null): Promise<GitState | null> {
  if (gitDir === null) return null;
  const head = headOf(await readSmall(join(gitDir, 'HEAD')));
  const doing = await doingIn(gitDir);
  const common = resolve(gitDir, (await readSmall(join(gitDir, 'commondir')))?.trim() ?? '.');
  return {
    branch: head.branch ?? (await rebasedBranch(gitDir)) ?? head.commit,
    isDetached: head.branch === null && head.commit !== null,
    doing,
    isBare: await isBareFolder(gitDir, /^\s*bare\s*=\s*true\s*$/im),
    isShallow: (await factsOf(join(common, 'shallow')))?.isFile() === true,
    lockedSince: (await factsOf(join(gitDir, 'index.lock')))?.mtimeMs ?? null,
  };
}

/** As {@link readGitState}, of the repository that a folder lies in. */
export const gitStateAt = async (root: string): Promise<GitState | null> =>
  await readGitState(await findGitDir(root));

function headOf(text: string | null): { branch: string | null; commit: string | null } {
  const line = text?.split('\n')[0]?.trim() ?? '';
  const branch = /^ref: *refs\/heads\/(.+)$/.exec(line)?.[1] ?? null;
  return { branch, commit: /^[0-9a-f]{40,64}$/.test(line) ? line.slice(0, SHORT_COMMIT_CHARS) : null };
}

async function doingIn(gitDir: string): Promise<GitDoing | null> {
  for (const [file, doing] of SIGNS) if ((await factsOf(join(gitDir, file))) !== null) return doing;
  return null;
}

/** A rebase detaches HEAD and remembers which branch it will move. */
async function rebasedBranch(gitDir: string): Promise<string | null> {
  for (const folder of ['rebase-merge', 'rebase-apply']) {
    const name = (await readSmall(join(gitDir, folder, 'head-name')))?.trim() ?? '';
    const branch = /^refs\/heads\/(.+)$/.exec(name)?.[1];
    if (branch !== undefined) return branch;
  }
  return null;
}

/** @param config what the repository's config must say */
async function isBareFolder(folder: string, config = /(?:)/): Promise<boolean> {
  const parts = await Promise.all(['objects', 'refs'].map((name) => isFolder(join(folder, name))));
  const head = headOf(await readSmall(join(folder, 'HEAD')));
  if (!parts.every(Boolean) || (head.branch ?? head.commit) === null) return false;
  return config.test((await readSmall(join(folder, 'config'))) ?? '');
}

/** Text of a small regular file; null for anything else, so that a FIFO or device can't block us. */
async function readSmall(path: string): Promise<string | null> {
  const facts = await factsOf(path);
  if (facts?.isFile() !== true || facts.size > MAX_SMALL_BYTES) return null;
  return await readFile(path, 'utf8').catch(() => null);
}

async function factsOf(path: string) {
  return await stat(path).catch(() => null);
}

const isFolder = async (path: string): Promise<boolean> => (await factsOf(path))?.isDirectory() === true;
