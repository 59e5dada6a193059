import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, openSync } from 'node:fs';
import { lstat, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncFolder } from '../../workspace/atomic-write';
import { sha256 } from '../../workspace/workspace-files';
import { blobPath, MAX_KEPT_BYTES } from './blob-store';
import type { PackIndex } from './pack-index';
import { PACKED, unpack } from './packing';
import { INDEX, PACK, packsFolder, readPackIndex, readPlace, type PackPlace } from './packs';

/** What is younger may belong to an entry, or to a look, that is just being made, in milliseconds. */
export const SETTLED_MS = 10 * 60_000;

export interface StoredPack {
  /** Path without the ending. */
  base: string;
  index: PackIndex;
  sizeBytes: number;
  /** When it was made, or needed by a look. */
  mtimeMs: number;
}

/** What became of a pack that is no more. */
export interface TakenApart {
  base: string;
  /** Contents that were needed and were damaged: they are nowhere. */
  lost: string[];
}

/** The packs that are whole. What a process that died left of others is removed once it is certain that nobody writes it. */
export async function listPacks(dir: string): Promise<StoredPack[]> {
  const folder = packsFolder(dir);
  const names = await readdir(folder).catch(() => []);
  const bases = new Set(names.map((name) => join(folder, name.slice(0, name.indexOf('.')))));
  const found: StoredPack[] = [];
  for (const base of bases) {
    const files = [base + PACK, base + INDEX, `${base}${INDEX}.new`];
    const facts = await Promise.all(files.map((file) => lstat(file).catch(() => null)));
    const mtimeMs = Math.max(...facts.map((each) => each?.mtimeMs ?? 0));
    const sizeBytes = facts.reduce((sum, each) => sum + (each?.size ?? 0), 0);
    const index = readPackIndex(base);
    if (index !== null) found.push({ base, index, sizeBytes, mtimeMs });
    else if (mtimeMs < Date.now() - SETTLED_MS) await removeAll(files);
  }
  return found;
}

async function removeAll(files: readonly string[]): Promise<void> {
  for (const file of files) await rm(file, { force: true });
}

/** Part of a pack's bytes that these contents take, from 0 to 1. */
export function shareOf({ index }: StoredPack, hashes: ReadonlySet<string>): number {
  let [all, theirs] = [0, 0];
  for (const { hash, span } of index.all()) {
    all += span?.length ?? 0;
    if (hashes.has(hash)) theirs += span?.length ?? 0;
  }
  return all === 0 ? 0 : theirs / all;
}

/**
 * Removes a pack, once those of its contents that are needed are on the disk as files of their own. A process that dies in
 * the middle leaves the pack, or contents that are stored twice, or a pack without an index.
 * @returns null when that could not be done, as on a full disk, or when a look needs it again; the pack is as it was
 */
export async function takeApart(
  dir: string,
  { base, index, mtimeMs }: StoredPack,
  needed: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<TakenApart | null> {
  const lost: string[] = [];
  const folders = new Set<string>();
  try {
    for (const { hash, span } of index.all()) {
      if (!needed.has(hash) || (await isSingle(dir, hash))) continue;
      signal.throwIfAborted();
      const bytes = span === null ? null : await rightBytes({ ...span, base }, hash);
      if (bytes === null) lost.push(hash);
      else folders.add(await writeSingle(dir, hash, bytes));
    }
    for (const folder of folders) await syncFolder(folder);
    if (folders.size > 0) await syncFolder(dir);
    // A look may have come to need it meanwhile.
    const { mtimeMs: now } = await lstat(base + INDEX);
    if (now > mtimeMs) return null;
    // Without its index the rest counts for nothing, whenever this ends.
    await removeAll([base + INDEX, base + PACK]);
  } catch {
    return null;
  }
  return { base, lost };
}

async function rightBytes(place: PackPlace, hash: string): Promise<Buffer | null> {
  const bytes = await readPlace(place);
  return bytes !== null && sha256(bytes) === hash ? bytes : null;
}

/** Whether the right content is there as a file of its own, plain or compressed. */
async function isSingle(dir: string, hash: string): Promise<boolean> {
  const path = blobPath(dir, hash);
  const plain = await readFile(path).catch(() => null);
  if (plain !== null && sha256(plain) === hash) return await isSynced(path);
  const packed = await readFile(path + PACKED).catch(() => null);
  const bytes = packed && (await unpack(packed, MAX_KEPT_BYTES).catch(() => null));
  return bytes !== null && sha256(bytes) === hash;
}

/** Many contents are written without a sync, which is made up for before another copy goes. */
async function isSynced(path: string): Promise<boolean> {
  syncFile(path);
  await syncFolder(dirname(path));
  return true;
}

/** @returns the folder, which has to be synced yet */
async function writeSingle(dir: string, hash: string, bytes: Buffer): Promise<string> {
  const target = blobPath(dir, hash);
  const temporary = `${target}.${randomUUID()}`;
  try {
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await writeFile(temporary, bytes, { mode: 0o600, flag: 'wx' });
    syncFile(temporary);
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  return dirname(target);
}

/** @throws when the disk cannot take it */
export function syncFile(path: string): void {
  const fd = openSync(path, 'r+');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
