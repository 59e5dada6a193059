import { randomUUID } from 'node:crypto';
import { closeSync, fstatSync, mkdirSync, openSync, readFileSync, renameSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { realDisk, syncFolder } from '../../workspace/atomic-write';
import { namesComeWithFiles } from '../../workspace/disk-pace';
import { sha256 } from '../../workspace/workspace-files';
import type { Blobs } from '../types';
import { PACKED, unpack } from './packing';
import { Packs, readPlace } from './packs';

/** Larger contents are not kept; an undo then says so (faults §1.4). */
export const MAX_KEPT_BYTES = 5 * 1024 * 1024;
const HASH = /^[0-9a-f]{64}$/;

/** Writes a new file and syncs it together with the folders that have to know of it. @throws also when it exists */
async function create(target: string, bytes: Buffer, folders: readonly string[]): Promise<void> {
  const fd = openSync(target, 'wx', 0o600);
  try {
    await realDisk.write(fd, bytes);
    await Promise.all([realDisk.sync(fd), ...folders.map(syncFolder)]);
  } catch (error) {
    await rm(target, { force: true });
    throw error;
  } finally {
    closeSync(fd);
  }
}

/** Up to this size a file that is there already is read on this thread: that takes less than the way to the thread pool. */
const DIRECT_READ_BYTES = 128 * 1024;

/** Opens a file that holds exactly these bytes; null when it holds others or can't be read. */
async function openSame(target: string, bytes: Buffer): Promise<number | null> {
  let fd: number | null = null;
  try {
    fd = openSync(target, 'r');
    const isSame =
      fstatSync(fd).size === bytes.length &&
      (bytes.length <= DIRECT_READ_BYTES ? readFileSync(fd) : await readFile(target)).equals(bytes);
    if (isSame) return fd;
  } catch {
    // Whatever is wrong with it, it is written anew.
  }
  if (fd !== null) closeSync(fd);
  return null;
}

/** Where a content lies, plain. */
export const blobPath = (dir: string, hash: string): string => join(dir, hash.slice(0, 2), hash);

/**
 * Contents of files, stored under their hash: each as a file of its own, plain at first and compressed later, or many of one
 * look in a pack.
 */
export class BlobStore implements Blobs {
  private readonly known = new Set<string>();
  private readonly folders = new Set<string>();
  /** Written by {@link writeLazily}: there, but perhaps not on the disk yet. */
  private readonly unsynced = new Set<string>();
  private readonly lazy = new Map<string, { bytes: Buffer; written: Promise<boolean> }>();
  private withNames: Promise<boolean> | null = null;

  private readonly packs: Packs;

  constructor(readonly dir: string) {
    this.packs = new Packs(dir);
  }

  /**
   * When this resolves, the content outlives a power cut, unless it is `lazy`. One that is there already is trusted only
   * when it is right: an earlier process may have died while it wrote.
   */
  async keep(bytes: Buffer, hash: string, options: { lazy?: boolean } = {}): Promise<boolean> {
    if (bytes.length > MAX_KEPT_BYTES) return false;
    if (this.known.has(hash)) return true;
    if (options.lazy === true) return await this.keepLazily(bytes, hash);
    const folder = join(this.dir, hash.slice(0, 2));
    const target = join(folder, hash);
    this.withNames ??= namesComeWithFiles(this.dir);
    if (!this.unsynced.has(hash) || !(await this.syncSame(target, bytes)))
      await this.createOrReplace(folder, target, bytes);
    this.known.add(hash);
    this.unsynced.delete(hash);
    return true;
  }

  private async createOrReplace(folder: string, target: string, bytes: Buffer): Promise<void> {
    try {
      const toSync = [folder, ...this.makeFolder(folder)];
      await create(target, bytes, (await this.withNames) ? [] : toSync);
    } catch (error) {
      this.folders.delete(folder);
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      await this.replace(target, bytes);
    }
  }

  /** The content under this hash, or null when it was never kept or no longer matches it. */
  async load(hash: string): Promise<Buffer | null> {
    if (!HASH.test(hash)) return null;
    const waiting = this.lazy.get(hash);
    if (waiting) return waiting.bytes;
    const { seen } = this.packs;
    const known = (await this.loadFromPacks(hash)) ?? (await this.loadSingle(hash));
    // Another process may have made a pack since, or taken one apart in this moment.
    if (known !== null || this.packs.refresh() === seen) return known;
    return (await this.loadFromPacks(hash)) ?? (await this.loadSingle(hash));
  }

  private async loadFromPacks(hash: string): Promise<Buffer | null> {
    for (const place of this.packs.places(hash)) {
      const bytes = await readPlace(place);
      if (bytes !== null && sha256(bytes) === hash) return bytes;
    }
    return null;
  }

  private async loadSingle(hash: string): Promise<Buffer | null> {
    const path = blobPath(this.dir, hash);
    const plain = await readFile(path).catch(() => null);
    if (plain !== null && sha256(plain) === hash) return plain;
    const packed = await readFile(path + PACKED).catch(() => null);
    const bytes = packed && (await unpack(packed, MAX_KEPT_BYTES).catch(() => null));
    return bytes !== null && sha256(bytes) === hash ? bytes : null;
  }

  /** Contents were removed: what is kept again has to be written again. */
  forget(hashes: Iterable<string>): void {
    for (const hash of hashes) {
      this.known.delete(hash);
      this.unsynced.delete(hash);
    }
  }

  /** Resolves when nothing that may be written lazily is still on its way. */
  async idle(): Promise<void> {
    while (this.lazy.size > 0) await Promise.all([...this.lazy.values()].map(({ written }) => written));
  }

  private keepLazily(bytes: Buffer, hash: string): Promise<boolean> {
    const there = this.lazy.get(hash);
    if (there) return there.written;
    const written = this.writeLazily(bytes, hash).finally(() => this.lazy.delete(hash));
    this.lazy.set(hash, { bytes, written });
    return written;
  }

  private async writeLazily(bytes: Buffer, hash: string): Promise<boolean> {
    // The caller goes on first: nothing waits for this.
    await new Promise(setImmediate);
    if (this.known.has(hash)) return true;
    if (await this.isWhole(hash)) {
      this.unsynced.add(hash);
      return true;
    }
    const target = blobPath(this.dir, hash);
    const temporary = `${target}.${randomUUID()}`;
    try {
      await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      await writeFile(temporary, bytes, { mode: 0o600 });
      await rename(temporary, target);
      this.unsynced.add(hash);
      return true;
    } catch {
      await rm(temporary, { force: true }).catch(() => undefined);
      return false;
    }
  }

  /** Whether the whole content is on the disk. */
  private async isWhole(hash: string): Promise<boolean> {
    const plain = await readFile(blobPath(this.dir, hash)).catch(() => null);
    return plain !== null && sha256(plain) === hash;
  }

  /** @returns folders whose entries are new */
  private makeFolder(folder: string): string[] {
    if (this.folders.has(folder)) return [];
    const first = mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.folders.add(folder);
    return first === undefined ? [] : [...new Set([dirname(first), dirname(folder)])];
  }

  /** A whole image is left as it is; it may be another process's that has not reached the disk yet, so it is synced. */
  private async replace(target: string, bytes: Buffer): Promise<void> {
    if (await this.syncSame(target, bytes)) return;
    const temporary = `${target}.${randomUUID()}`;
    await create(temporary, bytes, []);
    renameSync(temporary, target);
    await syncFolder(dirname(target));
  }

  /** Makes a file that holds these bytes durable. @returns false when there is none */
  private async syncSame(target: string, bytes: Buffer): Promise<boolean> {
    const fd = await openSame(target, bytes);
    if (fd === null) return false;
    const names = (await this.withNames) ? [] : [syncFolder(dirname(target))];
    await Promise.all([realDisk.sync(fd), ...names]).finally(() => closeSync(fd));
    return true;
  }
}
