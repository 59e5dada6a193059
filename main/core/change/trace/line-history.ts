import { changesBetween, splitLines, type Change } from '../../edit/line-changes';

/** One content that a file had, in order of time. */
export interface FileVersion<T> {
  /** LF-normalised; null: there was no file; undefined: not known (not kept, not text). */
  text: string | null | undefined;
  /** Of the bytes; null: no file. Equal hashes are the same content. */
  hash: string | null;
  /** Who made it out of the version before; null for the first one and where nobody noted it. */
  author: T | null;
  /** Indexes of earlier versions that this one brings back in part (an undo, a redo). */
  restores?: readonly number[];
}

interface Known {
  /** A number for each line's text. */
  keys: Int32Array;
  /** The identity of each line: a line keeps it through every version it stays in, and gets it back when it comes back. */
  ids: Int32Array;
}

/** The line came into being, or went, in a version that is not known. */
const UNKNOWN = -1;

/**
 * Follows the lines of one file through its versions. Every line that ever existed has a number by which it is asked who
 * wrote it and who removed it; a content that was there before brings the same lines back.
 */
export class LineHistory<T> {
  private readonly versions: (Known | null)[] = [];
  private readonly authors: (T | null)[] = [];
  private readonly byHash = new Map<string, number>();
  private readonly births: number[] = [];
  /** Versions in which a line went; more than one when it came back in between. */
  private readonly deaths = new Map<number, number[]>();
  private readonly numbers = new Map<string, number>();
  private readonly keys: string[] = [];
  /** The text of each line, by its number. */
  private readonly keyOfId: number[] = [];
  private last: Known | null = null;
  /** Something between the last known version and the next one is not known. */
  private gap = false;

  get size(): number {
    return this.versions.length;
  }

  /** Numbers of the lines of a version; null when it is not known. */
  idsOf(version: number): Int32Array | null {
    return this.versions[version]?.ids ?? null;
  }

  /** Who wrote a line; null: it was there from the start, or it is not known. */
  writerOf(id: number): T | null {
    return this.authorOf(this.births[id] ?? UNKNOWN);
  }

  /** The version that wrote a line: 0 is the first one, -1 not known. */
  birthOf(id: number): number {
    return this.births[id] ?? UNKNOWN;
  }

  /** Who removed a line last; null: it is there, or it is not known. */
  removerOf(id: number): T | null {
    return this.authorOf(this.deaths.get(id)?.at(-1) ?? UNKNOWN);
  }

  /** The version in which a line went last; undefined while it never went, -1 when not known. */
  deathOf(id: number): number | undefined {
    return this.deaths.get(id)?.at(-1);
  }

  /** As `splitLines` has it: a last line without a line break says so. */
  keyOf(id: number): string {
    return this.keys[this.keyOfId[id] ?? UNKNOWN] ?? '';
  }

  /** Numbers of equal texts are equal. */
  textNumbers(ids: ArrayLike<number>): Int32Array {
    return Int32Array.from(ids, (id) => this.keyOfId[id] ?? UNKNOWN);
  }

  /** The lines of a text that was put together from versions, looked for in these, in order; the others are new lines. */
  identify(text: string, versions: readonly number[]): Int32Array {
    const keys = this.numbered(text);
    const ids = new Int32Array(keys.length).fill(UNKNOWN);
    const all: Change[] = [[0, 0, 0, keys.length]];
    for (const version of versions) {
      const known = this.versions[version];
      if (known != null && ids.includes(UNKNOWN)) this.bringBack(ids, keys, all, known);
    }
    return ids.map((id, line) => (id === UNKNOWN ? this.bear(UNKNOWN, keys[line] as number) : id));
  }

  private authorOf(version: number): T | null {
    return version < 0 ? null : (this.authors[version] ?? null);
  }

  add(version: FileVersion<T>): void {
    const at = this.versions.length;
    this.authors.push(version.author);
    if (version.text === undefined) {
      this.versions.push(null);
      this.gap = true;
      return;
    }
    const known = this.follow(version, version.text ?? '', at);
    this.versions.push(known);
    this.last = known;
    this.gap = false;
    const hash = version.hash ?? '';
    if (!this.byHash.has(hash)) this.byHash.set(hash, at);
  }

  private follow(version: FileVersion<T>, text: string, at: number): Known {
    const former = this.byHash.get(version.hash ?? '');
    const back = former === undefined ? null : this.versions[former];
    if (back != null) {
      this.noteGone(back.ids, at, [former as number]);
      return back;
    }
    const keys = this.numbered(text);
    const first = this.last === null;
    const changes = changesBetween(this.last?.keys ?? new Int32Array(0), keys);
    const ids = carryOver(this.last?.ids ?? new Int32Array(0), keys.length, changes);
    const restores = (version.restores ?? []).filter((each) => this.versions[each] != null);
    for (const each of restores) this.bringBack(ids, keys, changes, this.versions[each] as Known);
    const birth = this.gap || (first && at > 0 && this.versions.some((each) => each === null)) ? UNKNOWN : at;
    for (const [, , start, end] of changes) {
      for (let line = start; line < end; line += 1) {
        if (ids[line] === UNKNOWN) ids[line] = this.bear(birth, keys[line] as number);
      }
    }
    if (changes.some(([start, end]) => end > start)) this.noteGone(ids, at, restores);
    return { keys, ids };
  }

  /** Numbers are quicker to compare than texts, and every text is looked at once. */
  private numbered(text: string): Int32Array {
    const { keys } = splitLines(text);
    const numbered = new Int32Array(keys.length);
    for (const [line, key] of keys.entries()) {
      const known = this.numbers.get(key) ?? this.numbers.size;
      if (known === this.numbers.size) {
        this.numbers.set(key, known);
        this.keys.push(key);
      }
      numbered[line] = known;
    }
    return numbered;
  }

  private bear(version: number, key: number): number {
    this.births.push(version);
    this.keyOfId.push(key);
    return this.births.length - 1;
  }

  /** New lines that an earlier version has in the same place are that version's lines, unless they are there already. */
  private bringBack(ids: Int32Array, keys: Int32Array, changes: Change[], former: Known): void {
    const alive = new Set(ids);
    const fresh = (line: number): boolean => ids[line] === UNKNOWN;
    if (!changes.some(([, , start, end]) => end > start)) return;
    const found = carryOver(former.ids, keys.length, changesBetween(former.keys, keys));
    found.forEach((id, line) => {
      if (id === UNKNOWN || !fresh(line) || alive.has(id)) return;
      ids[line] = id;
      alive.add(id);
    });
  }

  /** Lines of the last version that are gone now went in this one, or as they went in the version that comes back. */
  private noteGone(now: Int32Array, at: number, restored: readonly number[]): void {
    if (this.last === null || this.last.ids === now) return;
    const alive = new Set(now);
    for (const id of this.last.ids) {
      if (alive.has(id)) continue;
      const known = this.deaths.get(id) ?? [];
      const before = restored.flatMap((version) => known.filter((death) => death <= version)).at(-1);
      this.deaths.set(id, [...known, before ?? (this.gap ? UNKNOWN : at)]);
    }
  }
}

/** The numbers of lines that stay, in their new places; -1 for new lines. */
function carryOver(ids: Int32Array, count: number, changes: Change[]): Int32Array {
  const carried = new Int32Array(count).fill(UNKNOWN);
  let [oldAt, newAt] = [0, 0];
  for (const [oldStart, oldEnd, newStart, newEnd] of changes) {
    carried.set(ids.subarray(oldAt, oldStart), newAt);
    [oldAt, newAt] = [oldEnd, newEnd];
    if (newStart > count) break;
  }
  carried.set(ids.subarray(oldAt), newAt);
  return carried;
}
