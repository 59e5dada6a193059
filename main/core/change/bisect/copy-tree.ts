import { constants, lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { copyFile, mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../../../shared/error';
import { createGitIgnore } from '../../workspace/git-ignore';
import { TEMP_FILE_PREFIX } from '../../workspace/atomic-write';

/** Folders of dependencies: too large to copy, and tests only read them. */
const DEPENDENCIES = new Set(
  'node_modules bower_components jspm_packages vendor .venv venv .yarn .pnpm-store Pods .bundle deps elm-stuff'.split(
    ' ',
  ),
);
/** An ignored file in a folder that is not ignored comes along up to this size: settings and keys that tests need. */
const MAX_IGNORED_BYTES = 256 * 1024;
const MAX_FILES = 300_000;
const MAX_BYTES = 4 * 1024 ** 3;
const COPIED_AT_ONCE = 16;

/** What to take over of a project. */
export interface TreeList {
  /** Relative paths. */
  files: string[];
  links: string[];
  folders: string[];
  /** Ignored folders of dependencies, which are linked. */
  dependencies: string[];
}

const nextTick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Lists what git would not ignore, without `.git`.
 *
 * @throws AppError `file_too_large` when that is more than anybody should copy; `cancelled`
 */
export async function listTree(root: string, signal: AbortSignal): Promise<TreeList> {
  const ignore = createGitIgnore(root);
  const list: TreeList = { files: [], links: [], folders: [], dependencies: [] };
  const queue = [''];
  let bytes = 0;
  for (let folder = queue.pop(); folder !== undefined; folder = queue.pop()) {
    signal.throwIfAborted();
    await nextTick();
    const isIgnored = await ignore.forFolder(folder);
    for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true })) {
      const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.name === '.git' || entry.name.startsWith(TEMP_FILE_PREFIX)) continue;
      const ignored = isIgnored(entry.name, entry.isDirectory());
      if (entry.isDirectory()) {
        if (!ignored) {
          list.folders.push(name);
          queue.push(name);
        } else if (DEPENDENCIES.has(entry.name)) list.dependencies.push(name);
      } else if (entry.isSymbolicLink()) {
        list.links.push(name);
      } else if (entry.isFile()) {
        const { size } = lstatSync(path.join(root, name));
        if (ignored && size > MAX_IGNORED_BYTES) continue;
        list.files.push(name);
        bytes += size;
      }
    }
    if (list.files.length > MAX_FILES || bytes > MAX_BYTES) throw tooLarge();
  }
  return list;
}

const tooLarge = (): AppError =>
  new AppError('file_too_large', 'The project is too large to be copied for a search.', {
    hint: 'Ignore what is generated (.gitignore): only files that git would not ignore are copied.',
  });

/** Copies one file, sharing its blocks where the file system can. */
export async function copyOne(from: string, to: string): Promise<void> {
  await mkdir(path.dirname(to), { recursive: true });
  await copyFile(from, to, constants.COPYFILE_FICLONE);
}

/** Makes the copy; `onCopied` is told now and then how many files there are. */
export async function copyTree(
  root: string,
  target: string,
  list: TreeList,
  signal: AbortSignal,
  onCopied: (files: number) => void,
): Promise<void> {
  for (const folder of list.folders) await mkdir(path.join(target, folder), { recursive: true });
  for (let at = 0; at < list.files.length; at += COPIED_AT_ONCE) {
    signal.throwIfAborted();
    const some = list.files.slice(at, at + COPIED_AT_ONCE);
    // A file that went since it was listed is not there in the copy either.
    await Promise.all(
      some.map((name) => copyOne(path.join(root, name), path.join(target, name)).catch(unlessGone)),
    );
    if (at > 0 && at % 512 === 0) onCopied(at + some.length);
  }
  onCopied(list.files.length);
  for (const name of list.links)
    await symlink(ownTarget(root, target, name), path.join(target, name)).catch(unlessGone);
  for (const name of list.dependencies) await symlink(path.join(root, name), path.join(target, name));
}

/** A link that names a place in the project by its whole path names the one in the copy. */
function ownTarget(root: string, target: string, name: string): string {
  const to = readlinkSync(path.join(root, name));
  const inside = path.isAbsolute(to) && (to === root || to.startsWith(`${root}${path.sep}`));
  return inside ? target + to.slice(root.length) : to;
}

function unlessGone(error: unknown): void {
  const code = (error as NodeJS.ErrnoException).code;
  if (code !== 'ENOENT' && code !== 'EEXIST') throw error;
}
