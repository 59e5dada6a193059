import { realpathSync } from 'node:fs';
import { lstat, readdir, readlink, realpath } from 'node:fs/promises';
import path from 'node:path';
import { AppError, type ErrorCode } from '../../../shared/error';
import { DiskPace } from './disk-pace';
import type { ResolvedPath } from './types';

const WINDOWS = process.platform === 'win32';

/**
 * Turns what a model or a person wrote into a path that is proven to lie inside one folder, symbolic links resolved.
 * Everything that can't be proven is refused: there is no fallback to the raw path.
 */
export interface PathJail {
  /** Absolute real path of the folder. */
  readonly root: string;
  /** How the folder's disk is best asked. */
  readonly pace: DiskPace;
  /** @throws AppError `bad_argument`, `outside_workspace`, `symlink_escape`, `path_unresolved` */
  resolve(input: string): Promise<ResolvedPath>;
  /** True for the root itself and for real paths below it. */
  contains(realPath: string): boolean;
}

/** @throws AppError `folder_missing`, `folder_unreadable` */
export async function openPathJail(folder: string): Promise<PathJail> {
  const given = path.resolve(folder);
  const root = await realpath(given).catch((cause: unknown) => {
    const missing = errno(cause) === 'ENOENT';
    throw new AppError(
      missing ? 'folder_missing' : 'folder_unreadable',
      missing ? `The folder ${given} does not exist.` : `The folder ${given} can't be opened.`,
      { hint: 'Open another folder, or put this one back.', cause, detail: { path: given } },
    );
  });
  return createJail(given, root, await DiskPace.of(root));
}

function createJail(given: string, root: string, pace: DiskPace): PathJail {
  const contains = (real: string): boolean => isInside(root, real);
  return {
    root,
    pace,
    contains,
    resolve: async (input) => {
      const wanted = toAbsolute(input, given, root);
      const relative = toRelative(root, wanted);
      const found = await resolveReal(wanted, input, { root, pace });
      if (!contains(found.real)) throw escape(input);
      return {
        relative,
        absolute: found.real,
        realRelative: toRelative(root, found.real),
        exists: found.exists,
      };
    },
  };
}

/** Compares whole components, so that `/w/proj-x` is not inside `/w/proj` (sec-B01). */
export function isInside(root: string, target: string): boolean {
  return target === root || target.startsWith(root.endsWith(path.sep) ? root : root + path.sep);
}

function toAbsolute(input: string, given: string, root: string): string {
  refuseRemote(input);
  const native = WINDOWS ? input.replaceAll('/', '\\') : input;
  let absolute = path.resolve(root, native);
  if (!isInside(root, absolute) && path.isAbsolute(native) && isInside(given, absolute)) {
    absolute = path.join(root, path.relative(given, absolute));
  }
  const home = native === '~' || native.startsWith(`~${path.sep}`);
  if (home || !isInside(root, absolute)) throw outside(input);
  return absolute;
}

/** Network and device paths are refused before any file system call, which on Windows would send credentials (sec-B10). */
function refuseRemote(input: string): void {
  if (input.includes('\0')) {
    throw new AppError('bad_argument', 'The path contains a NUL character.', { audience: 'model' });
  }
  const remote = /^(\\\\|\/\/|\\\?\?\\|\/\?\?\/)/.test(input) || /^file:/i.test(input);
  const stream = WINDOWS && /:/.test(input.replace(/^[a-z]:/i, ''));
  if (remote || stream) throw outside(input);
}

interface Folder {
  root: string;
  pace: DiskPace;
}

async function resolveReal(
  wanted: string,
  input: string,
  folder: Folder,
): Promise<{ real: string; exists: boolean }> {
  const { root } = folder;
  const missing: string[] = [];
  for (let current = wanted; ; current = path.dirname(current)) {
    const real = await realOrMissing(current, input, folder);
    if (real !== null) {
      if (missing.length === 0) return { real, exists: true };
      return await appendMissing(real, missing.reverse(), input, folder);
    }
    if (current === root || current === path.dirname(current)) throw unresolved(input, 'the folder is gone');
    missing.push(path.basename(current));
  }
}

/** The real path, or null when nothing is there. A link to nothing is refused: writing could follow it later. */
async function realOrMissing(target: string, input: string, { root, pace }: Folder): Promise<string | null> {
  try {
    return await pace.ask(
      () => realpathSync.native(target),
      () => realpath(target),
    );
  } catch (cause) {
    if (errno(cause) !== 'ENOENT') throw unresolved(input, describeErrno(cause), cause);
  }
  const link = await readlink(target).catch(() => null);
  if (link === null) return null;
  const aim = path.resolve(path.dirname(target), link);
  throw isInside(root, aim)
    ? unresolved(input, `it is a link to ${link}, which does not exist`)
    : escape(input);
}

/** The part that does not exist yet; a name that exists in the other Unicode form is taken for the one asked for. */
async function appendMissing(
  base: string,
  missing: string[],
  input: string,
  folder: Folder,
): Promise<{ real: string; exists: boolean }> {
  const { root } = folder;
  const stat = await lstat(base).catch((cause: unknown) => {
    throw unresolved(input, describeErrno(cause), cause);
  });
  if (!stat.isDirectory()) throw unresolved(input, `${toRelative(root, base)} is a file, not a folder`);
  const [first, ...rest] = missing as [string, ...string[]];
  const twin = isInside(root, base) ? await otherUnicodeForm(base, first) : null;
  if (twin === null) return { real: path.join(base, ...missing), exists: false };
  return await resolveReal(path.join(base, twin, ...rest), input, folder);
}

async function otherUnicodeForm(folder: string, name: string): Promise<string | null> {
  if (!/\P{ASCII}/u.test(name)) return null;
  const wanted = name.normalize('NFC');
  const names = await readdir(folder).catch(() => []);
  return names.find((entry) => entry !== name && entry.normalize('NFC') === wanted) ?? null;
}

function toRelative(root: string, absolute: string): string {
  const relative = path.relative(root, absolute);
  return WINDOWS ? relative.replaceAll('\\', '/') : relative;
}

export function errno(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

const REASONS: Record<string, string> = {
  EACCES: 'a folder on the way may not be read',
  EPERM: 'a folder on the way may not be read',
  ELOOP: 'its symbolic links go round in a circle',
  ENAMETOOLONG: 'the name is too long',
  ENOTDIR: 'a part of it is a file, not a folder',
};

function describeErrno(error: unknown): string {
  return REASONS[errno(error)] ?? (error instanceof Error ? error.message : String(error));
}

const failure = (code: ErrorCode, message: string, hint: string, input: string, cause?: unknown): AppError =>
  new AppError(code, message, { hint, audience: 'model', detail: { path: input }, cause });

const outside = (input: string): AppError =>
  failure(
    'outside_workspace',
    `\`${input}\` is outside the project folder.`,
    'Use a path relative to the project folder.',
    input,
  );

const escape = (input: string): AppError =>
  failure(
    'symlink_escape',
    `\`${input}\` leads out of the project folder through a symbolic link.`,
    'Only files inside the project folder may be used.',
    input,
  );

const unresolved = (input: string, why: string, cause?: unknown): AppError =>
  failure('path_unresolved', `\`${input}\` can't be resolved: ${why}.`, 'Check the path.', input, cause);
