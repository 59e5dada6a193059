import { changesBetween } from '../../edit/line-changes';

/**
 * The lines a file would have without what waits for review: changes by people and other programs are put in where their
 * surroundings are there unchanged. Lines go by their numbers in a `LineHistory`.
 */
export class BaseLines {
  private lines: number[];

  constructor(lines: ArrayLike<number>) {
    this.lines = Array.from(lines);
  }

  get ids(): readonly number[] {
    return this.lines;
  }

  /** Takes a settled change in, hunk by hunk; a hunk that meets waiting lines is left out and shows as pending. */
  fold(before: ArrayLike<number>, after: ArrayLike<number>): void {
    let at = 0;
    const places = new Map(this.lines.map((id, line) => [id, line]));
    const made: number[] = [];
    for (const [oldStart, oldEnd, newStart, newEnd] of changesBetween(before, after)) {
      const left = oldStart === 0 ? -1 : places.get(before[oldStart - 1] as number);
      const first =
        oldStart === oldEnd
          ? left === undefined
            ? undefined
            : left + 1
          : places.get(before[oldStart] as number);
      if (first === undefined || first < at || !this.fits(before, oldStart, oldEnd, first)) continue;
      const added = Array.from({ length: newEnd - newStart }, (_, line) => after[newStart + line] as number);
      // Lines that an undo brought back may never have left the base.
      if (added.some((id) => places.has(id))) continue;
      for (const id of this.lines.slice(at, first)) made.push(id);
      for (const id of added) made.push(id);
      at = first + oldEnd - oldStart;
    }
    for (const id of this.lines.slice(at)) made.push(id);
    this.lines = made;
  }

  /** Whether the lines that the change replaces, or those it was put between, stand there as they stood before it. */
  private fits(before: ArrayLike<number>, start: number, end: number, at: number): boolean {
    for (let line = start; line < end; line += 1)
      if (this.lines[at + line - start] !== before[line]) return false;
    return start < end || this.lines[at] === before[end];
  }
}
