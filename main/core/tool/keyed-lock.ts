/** Runs functions under the same key one after the other, in the order they came. */
export class KeyedLock {
  private readonly tails = new Map<string, Promise<unknown>>();

  /** Several keys are taken in sorted order, so that two calls can't wait for each other. */
  async run<T>(keys: readonly string[], use: () => Promise<T>): Promise<T> {
    const [first, ...rest] = [...new Set(keys)].sort();
    if (first === undefined) return await use();
    const before = this.tails.get(first) ?? Promise.resolve();
    const mine = before.then(() => this.run(rest, use));
    // The tail never rejects: a failure belongs to its own caller, not to the next in line.
    const tail = mine.then(
      () => undefined,
      () => undefined,
    );
    this.tails.set(first, tail);
    try {
      return await mine;
    } finally {
      if (this.tails.get(first) === tail) this.tails.delete(first);
    }
  }
}
