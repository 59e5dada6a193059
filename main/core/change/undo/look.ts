import { lstatSync, readdirSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { AppError } from '../../../../shared/error';
import { protection } from '../../workspace/protected-paths';
import type { WorkspaceFiles } from '../../workspace/types';
import { sha256 } from '../../workspace/workspace-files';
import type { Now } from './fold';
import { NO_BYTES, NO_BYTES_HASH } from './held';

/** Where a path lies, with no link followed on the way; a refusal where there is one. */
export async function placeOf(
  files: WorkspaceFiles,
  name: string,
): Promise<{ absolute: string } | { refusal: string }> {
  if (protection(name) === 'deny')
    return { refusal: 'It is one of git’s own files, which only git changes.' };
  const parent = path.posix.dirname(name);
  try {
    const { absolute, realRelative } = await files.resolve(parent);
    if (realRelative !== (parent === '.' ? '' : parent))
      return { refusal: 'A folder on the way to it is a link now.' };
    return { absolute: path.join(absolute, path.posix.basename(name)) };
  } catch (error) {
    if (error instanceof AppError) return { refusal: error.message };
    throw error;
  }
}

/** What a path holds now; nothing is followed. */
export async function lookAt(files: WorkspaceFiles, name: string): Promise<Now> {
  const place = await placeOf(files, name);
  if ('refusal' in place) return place;
  try {
    return await readHeld(files, name, place.absolute);
  } catch (error) {
    const code = error instanceof AppError ? error.code : (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'not_found') return { held: null };
    if (error instanceof AppError) return { refusal: error.message };
    throw error;
  }
}

async function readHeld(files: WorkspaceFiles, name: string, absolute: string): Promise<Now> {
  const facts = lstatSync(absolute);
  if (facts.isSymbolicLink()) {
    const bytes = Buffer.from(readlinkSync(absolute, { encoding: 'buffer' }));
    return { held: { kind: 'link', bytes, hash: sha256(bytes), mode: 0 } };
  }
  const mode = facts.mode & 0o7777;
  if (facts.isDirectory()) return { held: { kind: 'folder', bytes: NO_BYTES, hash: NO_BYTES_HASH, mode } };
  if (!facts.isFile()) return { refusal: 'It is a pipe, socket or device now.' };
  const { bytes, hash } = await files.readBytes(name);
  return { held: { kind: 'file', bytes, hash, mode } };
}

/** True for a folder with nothing in it. */
export function isEmptyFolder(absolute: string): boolean {
  try {
    return readdirSync(absolute).length === 0;
  } catch {
    return false;
  }
}
