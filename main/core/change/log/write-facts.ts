/** Facts that are remembered; a call's own are always among the newest. */
const MAX_FACTS = 4000;

interface Facts {
  sizeBytes: number;
  mode: number | null;
}

/** Size and mode of contents that were read or written, by path and hash: what a diff doesn't tell of its two sides. */
export class WriteFacts {
  private readonly facts = new Map<string, Facts>();

  note(path: string, { hash, sizeBytes, mode }: { hash: string; sizeBytes: number; mode?: number }): void {
    const key = `${path} ${hash}`;
    const known = this.facts.get(key);
    this.facts.delete(key);
    this.facts.set(key, { sizeBytes, mode: mode ?? known?.mode ?? null });
    if (this.facts.size <= MAX_FACTS) return;
    const [oldest] = this.facts.keys();
    if (oldest !== undefined) this.facts.delete(oldest);
  }

  of(path: string, hash: string): Facts | null {
    return this.facts.get(`${path} ${hash}`) ?? null;
  }
}
