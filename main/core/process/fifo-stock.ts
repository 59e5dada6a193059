import { closeSync, constants, mkdtempSync, openSync, rmSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What a process is connected with: its output, its errors, what it is told, and what is reported about it. */
export const PIPES = ['out', 'err', 'in', 'report'] as const;
export type PipeName = (typeof PIPES)[number];
/** This process's ends of the pipes of one process. */
export type PipeEnds = Record<PipeName, number>;

/** Sets of pipes that are made at once, and how few are left when more are asked for. */
const BATCH = 16;
const LOW = 4;

/** Neither end waits for the other one. */
const READ = constants.O_RDONLY | constants.O_NONBLOCK;
/** Linux opens both ends of a named pipe so without waiting for a reader. */
const WRITE = constants.O_RDWR | constants.O_NONBLOCK;

/**
 * Named pipes in a private folder. Node can't make a pipe but by starting a process; these were made by a helper before,
 * and lose their name as soon as they are open here.
 */
export class FifoStock {
  /** Whoever outlives this process may remove it then. */
  readonly folder = mkdtempSync(join(tmpdir(), 'lathe-pipes-'));
  private made = 0;
  private asked = 0;
  private used = 0;

  /** @param make gets the paths of pipes to make @throws the file system's error when there is no room */
  constructor(private readonly make: (paths: string[]) => void) {}

  /** The pipes that were asked for are there. */
  ready(): void {
    this.made = this.asked;
  }

  get hasSome(): boolean {
    return this.used < this.made;
  }

  /** @returns null when there are none at this moment, or somebody has removed them */
  take(): PipeEnds | null {
    if (!this.hasSome) return null;
    const set = this.used;
    this.used += 1;
    if (this.asked - this.used <= LOW && this.asked === this.made) this.refill();
    const ends: Partial<PipeEnds> = {};
    try {
      for (const name of PIPES) ends[name] = openSync(this.path(set, name), name === 'in' ? WRITE : READ);
      for (const name of PIPES) unlinkSync(this.path(set, name));
      return ends as PipeEnds;
    } catch {
      // Somebody cleans the folder for temporary files.
      for (const fd of Object.values(ends)) closeSync(fd);
      return null;
    }
  }

  close(): void {
    try {
      rmSync(this.folder, { recursive: true, force: true });
    } catch {
      // The helper is about to make some; it removes the folder when it ends.
    }
  }

  /** Asks for more. To be called once at the start. */
  refill(): void {
    const sets = Array.from({ length: BATCH }, (_, index) => this.asked + index);
    this.asked += BATCH;
    this.make(sets.flatMap((set) => PIPES.map((name) => this.path(set, name))));
  }

  private path(set: number, name: PipeName): string {
    return join(this.folder, `${set}.${name}`);
  }
}
