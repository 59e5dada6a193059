import type { ChangeSet } from '../../../../shared/model/change';
import type { DiffHunk } from '../../../../shared/model/diff';
import { changesBetween, splitLines, type Change } from '../../edit/line-changes';
import { decodeText, encodeText, type TextFile } from '../../edit/text-codec';
import { sha256 } from '../../workspace/workspace-files';
import { isNoText } from '../merge/merge-bytes';
import { linesWithEndings } from '../review/lines-with-endings';
import { HunkIds, shownHunk } from '../review/review-hunks';
import { same, type Held } from '../undo/held';
import type { Overlay } from './scratch';

/** A part of what an entry did that can be there or not: a hunk of a text, or a file as a whole. */
export interface HunkUnit {
  path: string;
  /** Null for a file that only changes as a whole. */
  hunk: { id: string; shown: DiffHunk } | null;
}

interface FilePart {
  units: HunkUnit[];
  /** Contents of its paths with some of the units in. */
  with(chosen: readonly boolean[]): Promise<[string, Held | null][]>;
}

/** What an entry did, in parts. */
export interface Parts {
  units: HunkUnit[];
  /** The state before the entry with the first `count` units in. */
  with(count: number): Promise<Overlay>;
  /** The state before the entry with one unit alone. */
  only(index: number): Promise<Overlay>;
}

async function textOf(held: Held | null): Promise<TextFile | null> {
  if (held?.kind !== 'file') return null;
  try {
    return await decodeText(held.bytes, '');
  } catch (error) {
    if (isNoText(error)) return null;
    throw error;
  }
}

/**
 * @param before the state before the entry, and `after` the one after it
 * @param present what is at a path that neither names
 */
export async function partsOf(
  set: ChangeSet,
  before: Overlay,
  after: Overlay,
  present: (path: string) => Held | null,
): Promise<Parts> {
  const at = (overlay: Overlay, path: string): Held | null => {
    const held = overlay.get(path);
    return held === undefined ? present(path) : held;
  };
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => !same(at(before, path), at(after, path)),
  );
  const moves = new Map(
    set.changes.flatMap(({ path, movedFrom }) => (movedFrom === null ? [] : [[path, movedFrom]])),
  );
  const sources = new Set(moves.values());
  const files: FilePart[] = [];
  for (const path of changed.sort()) {
    if (sources.has(path)) continue;
    const source = moves.get(path);
    const own = source === undefined ? [path] : [path, source];
    const [old, now] = [at(before, path), at(after, path)];
    const split = source === undefined ? await hunksOf(path, old, now) : null;
    files.push(split ?? wholeFile(own, (name) => [at(before, name), at(after, name)]));
  }
  return {
    units: files.flatMap(({ units }) => units),
    with: (count) => compose(files, before, (index) => index < count),
    only: (wanted) => compose(files, before, (index) => index === wanted),
  };
}

async function compose(
  files: readonly FilePart[],
  before: Overlay,
  isIn: (index: number) => boolean,
): Promise<Overlay> {
  const overlay = new Map(before);
  let index = 0;
  for (const file of files) {
    const chosen = file.units.map((_, at) => isIn(index + at));
    index += file.units.length;
    for (const [path, held] of await file.with(chosen)) overlay.set(path, held);
  }
  return overlay;
}

const wholeFile = (
  paths: readonly string[],
  sides: (path: string) => [Held | null, Held | null],
): FilePart => ({
  units: [{ path: paths[0] ?? '', hunk: null }],
  with: ([isIn]) => Promise.resolve(paths.map((path) => [path, sides(path)[isIn === true ? 1 : 0]])),
});

/** Null when one of the sides is no text. */
async function hunksOf(path: string, old: Held | null, now: Held | null): Promise<FilePart | null> {
  const [before, after] = [await textOf(old), await textOf(now)];
  if (old === null || now === null || before === null || after === null) return null;
  const [base, current] = [splitLines(before.text), splitLines(after.text)];
  const changes = changesBetween(base.keys, current.keys);
  const [oldLines, newLines] = [linesWithEndings(before.raw), linesWithEndings(after.raw)];
  if (changes.length === 0) return null;
  const ids = new HunkIds();
  const units = changes.map((change, at): HunkUnit => {
    const [oldStart, oldEnd, newStart, newEnd] = change;
    const id = ids.next(base.keys.slice(oldStart, oldEnd), current.keys.slice(newStart, newEnd));
    const [previousEnd, nextStart] = [changes[at - 1]?.[1] ?? 0, changes[at + 1]?.[0] ?? base.lines.length];
    return {
      path,
      hunk: { id, shown: shownHunk(base.lines, current.lines, change, previousEnd, nextStart) },
    };
  });
  const compose = async (chosen: readonly boolean[]): Promise<Held> => {
    if (!chosen.includes(true)) return old;
    if (!chosen.includes(false)) return now;
    const raw = mixed(oldLines, newLines, changes, chosen);
    const bytes = await encodeText(after, raw, path);
    return { ...now, bytes, hash: sha256(bytes) };
  };
  return { units, with: async (chosen) => [[path, await compose(chosen)]] };
}

function mixed(
  oldLines: readonly string[],
  newLines: readonly string[],
  changes: readonly Change[],
  chosen: readonly boolean[],
): string {
  const made: string[] = [];
  let at = 0;
  for (const [index, [oldStart, oldEnd, newStart, newEnd]] of changes.entries()) {
    made.push(...oldLines.slice(at, oldStart));
    made.push(
      ...(chosen[index] === true ? newLines.slice(newStart, newEnd) : oldLines.slice(oldStart, oldEnd)),
    );
    at = oldEnd;
  }
  return [...made, ...oldLines.slice(at)].join('');
}
