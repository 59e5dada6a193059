/** Paths that belong together, since a change moved one to the other. */
export class Groups {
  private readonly parents = new Map<string, string>();

  /** The name of the group that a path is in. */
  of(path: string): string {
    const parent = this.parents.get(path) ?? path;
    return parent === path ? path : this.of(parent);
  }

  join(a: string, b: string): void {
    const [first, second] = [this.of(a), this.of(b)];
    if (first !== second) this.parents.set(second, first);
  }
}
