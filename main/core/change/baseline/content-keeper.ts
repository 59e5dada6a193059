import { lstatSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { blobPath } from '../blobs/blob-store';
import { PackWriter, type WriteMany } from '../blobs/pack-writer';
import { PACKED } from '../blobs/packing';
import { isAtPlace, Packs, touchPack, type PackPlace } from '../blobs/packs';

/** A content's size on the disk, plain or packed; null when it is not there. */
function sizeThere(path: string): number | null {
  return lstatSync(path, { throwIfNoEntry: false })?.size ?? null;
}

/** Contents of one look from which on they go into a pack; fewer are files of their own. */
const MANY = 64;
/** Bytes that wait for one more content at most. */
const MAX_WAITING_BYTES = 8 * 1024 * 1024;
/** A pack that is longer is followed by another: a failing write loses one only. */
const MAX_PACK_BYTES = 128 * 1024 * 1024;

/**
 * Keeps contents in the folder of the blob store, in a thread of its own and without a sync: a content that a power cut
 * tears no longer fits its hash and counts as not kept. Many contents of one look go into a pack: making a file for each
 * takes twenty times as long.
 */
export class ContentKeeper {
  private readonly folders = new Set<string>();
  private readonly packs: Packs;
  /** Contents of this look that are not written yet, by hash. */
  private readonly waiting = new Map<string, Buffer>();
  private waitingBytes = 0;
  private taken = 0;
  private pack: PackWriter | null = null;
  private hasFailed = false;
  private lost = new Set<string>();
  /** Packs that this look needs. */
  private readonly touched = new Map<string, boolean>();
  private isFresh = false;

  constructor(
    private readonly dir: string,
    private readonly writeMany?: WriteMany,
  ) {
    this.packs = new Packs(dir);
  }

  /** @returns whether the content is there, or will be after `end` unless that says otherwise; false on a full disk */
  keep(bytes: Buffer, hash: string): boolean {
    if (this.waiting.has(hash) || this.pack?.has(hash) === true || this.isKept(bytes, hash)) return true;
    this.taken += 1;
    if (this.hasFailed) return this.write(hash, bytes);
    if (this.taken >= MANY) {
      for (const [each, waiting] of this.waiting) this.add(waiting, each);
      this.clearWaiting();
      this.add(bytes, hash);
      return true;
    }
    this.waiting.set(hash, bytes);
    this.waitingBytes += bytes.length;
    if (this.waitingBytes > MAX_WAITING_BYTES) this.writeWaiting();
    return true;
  }

  /** The look is over: all that was kept is on the disk now. @returns hashes of contents that could not be written */
  end(): ReadonlySet<string> {
    this.finishPack();
    this.writeWaiting();
    const { lost } = this;
    this.lost = new Set();
    this.touched.clear();
    [this.taken, this.hasFailed, this.isFresh] = [0, false, false];
    return lost;
  }

  isThere(hash: string, sizeBytes: number): boolean {
    if (this.placesOf(hash).length > 0) return true;
    const target = blobPath(this.dir, hash);
    return sizeThere(target) === sizeBytes || sizeThere(target + PACKED) !== null;
  }

  private isKept(bytes: Buffer, hash: string): boolean {
    if (sizeThere(blobPath(this.dir, hash)) === bytes.length) return true;
    return this.placesOf(hash).some((place) => isAtPlace(place, bytes) && this.needs(place));
  }

  private placesOf(hash: string): PackPlace[] {
    if (!this.isFresh) this.packs.refresh();
    this.isFresh = true;
    return this.packs.places(hash);
  }

  private needs(place: PackPlace): boolean {
    const known = this.touched.get(place.base);
    if (known !== undefined) return known;
    const isThere = touchPack(place);
    this.touched.set(place.base, isThere);
    return isThere;
  }

  private add(bytes: Buffer, hash: string): void {
    if (this.hasFailed) {
      if (!this.write(hash, bytes)) this.lost.add(hash);
      return;
    }
    this.pack ??= new PackWriter(this.dir, this.writeMany);
    if (!this.pack.add(bytes, hash)) this.losePack(this.pack);
    else if (this.pack.sizeBytes > MAX_PACK_BYTES) this.finishPack();
  }

  private finishPack(): void {
    if (this.pack === null) return;
    if (!this.pack.finish()) this.losePack(this.pack);
    this.pack = null;
    this.packs.refresh();
  }

  private losePack(pack: PackWriter): void {
    for (const hash of pack.hashes) this.lost.add(hash);
    this.hasFailed = true;
    this.pack = null;
  }

  private writeWaiting(): void {
    for (const [hash, bytes] of this.waiting) if (!this.write(hash, bytes)) this.lost.add(hash);
    this.clearWaiting();
  }

  private clearWaiting(): void {
    this.waiting.clear();
    this.waitingBytes = 0;
  }

  /** Writes a content as a file of its own. */
  private write(hash: string, bytes: Buffer): boolean {
    const target = blobPath(this.dir, hash);
    try {
      this.makeFolder(dirname(target));
      writeFileSync(target, bytes, { mode: 0o600, flag: 'wx' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') this.folders.clear();
      // One that is there may have been torn by a power cut; one that a full disk tore says nothing.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !this.mend(target, bytes)) return false;
    }
    this.lost.delete(hash);
    return true;
  }

  private mend(target: string, bytes: Buffer): boolean {
    try {
      if (sizeThere(target) !== bytes.length) writeFileSync(target, bytes, { mode: 0o600 });
      return true;
    } catch {
      return false;
    }
  }

  private makeFolder(folder: string): void {
    if (this.folders.has(folder)) return;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.folders.add(folder);
  }
}
