import { randomUUID } from 'node:crypto';
import { closeSync, mkdirSync, openSync, renameSync, rmSync, writevSync } from 'node:fs';
import { join } from 'node:path';
import { encodePackIndex, type PackSpan } from './pack-index';
import { INDEX, PACK, packsFolder } from './packs';

/** Contents are written once this many bytes have come together. */
const WRITE_BYTES = 2 * 1024 * 1024;

/** Writes buffers one after the other. @returns how many bytes were written */
export type WriteMany = (fd: number, buffers: readonly NodeJS.ArrayBufferView[]) => number;

/**
 * Writes contents into one pack, without a sync: what a power cut tears no longer fits its hash. Nothing of it is there for
 * anybody before `finish`. Nothing throws; when a write fails, nothing of the pack is kept and its files are removed.
 */
export class PackWriter {
  private readonly spans = new Map<string, PackSpan>();
  private readonly base: string;
  private fd: number | null = null;
  private waiting: Buffer[] = [];
  private waitingBytes = 0;
  private end = 0;

  constructor(
    dir: string,
    private readonly writeMany: WriteMany = writevSync,
  ) {
    this.base = join(packsFolder(dir), randomUUID());
  }

  get hashes(): Iterable<string> {
    return this.spans.keys();
  }

  /** Bytes that were added. */
  get sizeBytes(): number {
    return this.end;
  }

  has(hash: string): boolean {
    return this.spans.has(hash);
  }

  /** @returns false when the pack is lost, with all that was added */
  add(bytes: Buffer, hash: string): boolean {
    this.spans.set(hash, { offset: this.end, length: bytes.length });
    this.end += bytes.length;
    this.waiting.push(bytes);
    this.waitingBytes += bytes.length;
    return this.waitingBytes < WRITE_BYTES || this.attempt(() => this.flush());
  }

  /** @returns whether all that was added is there now, for other processes too */
  finish(): boolean {
    return this.attempt(() => {
      this.flush();
      this.close();
      const temporary = `${this.base}${INDEX}.new`;
      const fd = openSync(temporary, 'wx', 0o600);
      try {
        this.write(fd, [encodePackIndex(this.spans)]);
      } finally {
        closeSync(fd);
      }
      renameSync(temporary, this.base + INDEX);
    });
  }

  private attempt(work: () => void): boolean {
    try {
      work();
      return true;
    } catch {
      this.drop();
      return false;
    }
  }

  private flush(): void {
    this.fd ??= this.open();
    this.write(this.fd, this.waiting);
    this.waiting = [];
    this.waitingBytes = 0;
  }

  private open(): number {
    mkdirSync(join(this.base, '..'), { recursive: true, mode: 0o700 });
    return openSync(this.base + PACK, 'wx', 0o600);
  }

  /** A disk that gets full in the middle writes less and says nothing. */
  private write(fd: number, buffers: readonly Buffer[]): void {
    const length = buffers.reduce((sum, each) => sum + each.length, 0);
    if (length > 0 && this.writeMany(fd, buffers) !== length) throw new Error('the disk is full');
  }

  private close(): void {
    if (this.fd !== null) closeSync(this.fd);
    this.fd = null;
  }

  /** What can not be removed has no index, so the next tidying takes it away. */
  private drop(): void {
    try {
      this.close();
      for (const ending of [PACK, INDEX, `${INDEX}.new`]) rmSync(this.base + ending, { force: true });
    } catch {
      this.fd = null;
    }
  }
}
