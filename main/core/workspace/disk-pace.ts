import { statfs } from 'node:fs/promises';

/**
 * Types of file systems (statfs, Linux) that lie on a disk or in the memory of this machine: ext2–4, xfs, btrfs, tmpfs,
 * overlay, f2fs, zfs, bcachefs. A network or user-space file system can keep a caller waiting for as long as it likes.
 */
const LOCAL_TYPES = new Set([
  0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630, 0xf2f52010, 0x2fc12fc1, 0xca451a4e,
]);
/** An answer that took longer did not come from memory. */
const SLOW_MS = 10;
const SLOW_FOR_MS = 60_000;

/**
 * Decides how small questions are put to a folder's disk. Through the thread pool each costs 50–100 µs of waiting, and a
 * tool asks a dozen of them one after the other; asked directly a local disk answers from memory in 5–10 µs. One slow
 * answer, and the pool is used for a while: this thread must never hang on a disk.
 */
export class DiskPace {
  private slowUntil = 0;

  constructor(private readonly local: boolean) {}

  static async of(folder: string): Promise<DiskPace> {
    if (process.platform !== 'linux') return new DiskPace(false);
    const facts = await statfs(folder).catch(() => null);
    return new DiskPace(facts !== null && LOCAL_TYPES.has(facts.type));
  }

  get quick(): boolean {
    return this.local && performance.now() >= this.slowUntil;
  }

  /** Runs `direct` on this thread while the disk is quick, otherwise `pooled`. Both must fail in the same ways. */
  async ask<T>(direct: () => T, pooled: () => Promise<T>): Promise<T> {
    if (!this.quick) return await pooled();
    const startedAt = performance.now();
    try {
      return direct();
    } finally {
      const endedAt = performance.now();
      if (endedAt - startedAt > SLOW_MS) this.slowUntil = endedAt + SLOW_FOR_MS;
    }
  }
}
