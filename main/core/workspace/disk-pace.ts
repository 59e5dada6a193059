import { statfs } from 'node:fs/promises';

/**
 * Types of file systems (statfs, Linux) that lie on a disk or in the memory of this machine: ext2–4, xfs, btrfs, tmpfs,
 * overlay, f2fs, zfs, bcachefs. A network or user-space file system can keep a caller waiting for as long as it likes.
 */
const LOCAL_TYPES = new Set([
  0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630, 0xf2f52010, 0x2fc12fc1, 0xca451a4e,
]);
/** ext2–4, xfs, btrfs: there a new file's name reaches the disk with the file, since both are one step of their journal. */
const NAMES_WITH_FILES = new Set([0xef53, 0x58465342, 0x9123683e]);

async function typeOf(folder: string): Promise<number | null> {
  if (process.platform !== 'linux') return null;
  const facts = await statfs(folder).catch(() => null);
  return facts?.type ?? null;
}

/** Whether syncing a new file in this folder makes its name durable too; otherwise the folder has to be synced as well. */
export async function namesComeWithFiles(folder: string): Promise<boolean> {
  return NAMES_WITH_FILES.has((await typeOf(folder)) ?? 0);
}

/** An answer that took longer did not come from memory, or this thread was kept from running. */
const SLOW_MS = 20;
/** So many slow answers in so short a time are the disk's. */
const SLOW_ANSWERS = 3;
const WITHIN_MS = 10_000;
const SLOW_FOR_MS = 60_000;

/**
 * Decides how small questions are put to a folder's disk. Through the thread pool each costs 50–100 µs of waiting, and a
 * tool asks a dozen of them one after the other; asked directly a local disk answers from memory in 5–10 µs. When it gets
 * slow, the pool is used for a while: this thread must not hang on a disk.
 */
export class DiskPace {
  private static readonly known = new Map<string, Promise<DiskPace>>();
  private slowUntil = 0;
  private slowAnswers: number[] = [];

  constructor(private readonly local: boolean) {}

  /** The pace of a folder; everyone who asks in it shares what is known of its disk. */
  static of(folder: string): Promise<DiskPace> {
    let pace = DiskPace.known.get(folder);
    pace ??= typeOf(folder).then((type) => new DiskPace(type !== null && LOCAL_TYPES.has(type)));
    DiskPace.known.set(folder, pace);
    return pace;
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
      if (endedAt - startedAt > SLOW_MS) this.noteSlow(endedAt);
    }
  }

  private noteSlow(at: number): void {
    this.slowAnswers = [...this.slowAnswers.filter((each) => at - each < WITHIN_MS), at];
    if (this.slowAnswers.length < SLOW_ANSWERS) return;
    this.slowAnswers = [];
    this.slowUntil = at + SLOW_FOR_MS;
  }
}
