/** Facts that are remembered; a call's own are always among the newest. */
const MAX_FACTS = 4000;

/** An entry follows its write at once; of one that never comes, a call that was stopped, nobody is to wait longer. */
const UNRECORDED_MS = 5_000;

interface Facts {
  sizeBytes: number;
  mode: number | null;
}

/** Size and mode of contents that were read or written, by path and hash: what a diff doesn't tell of its two sides. */
export class WriteFacts {
  private readonly facts = new Map<string, Facts>();
  private readonly unrecorded = new Map<string, { hash: string | null; at: number }>();

  note(path: string, { hash, sizeBytes, mode }: { hash: string; sizeBytes: number; mode?: number }): void {
    const key = `${path} ${hash}`;
    const known = this.facts.get(key);
    this.facts.delete(key);
    this.facts.set(key, { sizeBytes, mode: mode ?? known?.mode ?? null });
    if (this.facts.size <= MAX_FACTS) return;
    const [oldest] = this.facts.keys();
    if (oldest !== undefined) this.facts.delete(oldest);
  }

  /** This process has just put this content (null: nothing) at the path; the entry that says so is still to come. */
  wrote(path: string, hash: string | null): void {
    this.unrecorded.set(path, { hash, at: performance.now() });
  }

  /** The log knows of it by now. */
  recorded(paths: readonly string[]): void {
    for (const path of paths) this.unrecorded.delete(path);
  }

  /** Whether what lies at the path was put there by this process, and its entry is still to come. */
  isUnrecorded(path: string, hash: string | null): boolean {
    const written = this.unrecorded.get(path);
    return written?.hash === hash && performance.now() - written.at < UNRECORDED_MS;
  }

  of(path: string, hash: string): Facts | null {
    return this.facts.get(`${path} ${hash}`) ?? null;
  }
}
