import { closeSync, lstatSync, openSync, readdirSync, readFileSync, readSync, utimesSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { PackIndex, type PackSpan } from './pack-index';

/** Endings of a pack and of its index. A pack without a whole index counts for nothing. */
export const PACK = '.pack';
export const INDEX = '.idx';

/** Folder of the packs in the folder of the contents. */
export const packsFolder = (dir: string): string => join(dir, 'packs');

/** A content in a pack. */
export interface PackPlace extends PackSpan {
  /** Path of the pack and of its index, without their endings. */
  base: string;
}

/** The index of a pack; null when it is missing or not whole, or when the pack is gone. */
export function readPackIndex(base: string): PackIndex | null {
  try {
    const bytes = readFileSync(base + INDEX);
    return PackIndex.parse(bytes, lstatSync(base + PACK).size);
  } catch {
    return null;
  }
}

/**
 * Contents that were found many at a time, one behind the other in files of their own. Other processes add packs and take
 * them away, so what is known of them is looked at anew with `refresh`.
 */
export class Packs {
  private readonly folder: string;
  private readonly indexes = new Map<string, PackIndex | null>();
  private changes = 0;

  constructor(dir: string) {
    this.folder = packsFolder(dir);
  }

  /** Reads indexes that are new. @returns how often packs have come or gone until now */
  refresh(): number {
    const names = new Set(listNames(this.folder).filter((name) => name.endsWith(INDEX)));
    for (const name of this.indexes.keys()) {
      if (names.has(name)) continue;
      this.changes += 1;
      this.indexes.delete(name);
    }
    for (const name of names) {
      if (this.indexes.has(name)) continue;
      this.changes += 1;
      this.indexes.set(name, readPackIndex(this.baseOf(name)));
    }
    return this.changes;
  }

  /** What `refresh` returned last. */
  get seen(): number {
    return this.changes;
  }

  /** Where a content should be, by the packs that are known. */
  places(hash: string): PackPlace[] {
    const found: PackPlace[] = [];
    for (const [name, index] of this.indexes) {
      const span = index?.find(hash);
      if (span) found.push({ ...span, base: this.baseOf(name) });
    }
    return found;
  }

  private baseOf(name: string): string {
    return join(this.folder, name.slice(0, -INDEX.length));
  }
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The bytes at a place; null when the pack is gone. Whether they are right is for the caller to check. */
export async function readPlace({ base, offset, length }: PackPlace): Promise<Buffer | null> {
  const handle = await open(base + PACK, 'r').catch(() => null);
  if (handle === null) return null;
  try {
    const bytes = Buffer.allocUnsafe(length);
    const { bytesRead } = await handle.read(bytes, 0, length, offset);
    return bytesRead === length ? bytes : null;
  } catch {
    return null;
  } finally {
    await handle.close();
  }
}

/** Whether the very bytes are at a place. */
export function isAtPlace({ base, offset, length }: PackPlace, bytes: Buffer): boolean {
  if (length !== bytes.length) return false;
  let fd: number | null = null;
  try {
    fd = openSync(base + PACK, 'r');
    const there = Buffer.allocUnsafe(length);
    return readSync(fd, there, 0, length, offset) === length && there.equals(bytes);
  } catch {
    return false;
  } finally {
    if (fd !== null) closeSync(fd);
  }
}

/** Notes that a pack is needed, so that it is not taken apart just now. @returns false when it is gone */
export function touchPack({ base }: PackPlace): boolean {
  const now = new Date();
  try {
    utimesSync(base + INDEX, now, now);
    return true;
  } catch {
    return false;
  }
}
