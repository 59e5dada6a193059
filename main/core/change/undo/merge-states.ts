import type { EntryState } from '../../../../shared/model/change';
import { sha256 } from '../../workspace/workspace-files';
import { mergeBytes } from '../merge/merge-bytes';
import { same, type Held, type LoadState } from './held';

export type StateMerge =
  /** `isExact`: the result is the wanted state to the byte, nothing was merged. */
  | { kind: 'merged'; held: Held | null; isExact: boolean }
  | { kind: 'conflict'; why: string }
  | { kind: 'not_kept'; why: string };

const NOT_KEPT: StateMerge = { kind: 'not_kept', why: 'Its former content is not kept.' };

/**
 * Takes one change of a path back: `base` is what the change left, `ours` what is there now, `theirs` what was there
 * before the change.
 */
export async function mergeStates(
  base: EntryState | null,
  ours: Held | null,
  theirs: EntryState | null,
  load: LoadState,
): Promise<StateMerge> {
  if (same(ours, theirs)) return { kind: 'merged', held: ours, isExact: true };
  // Whose permissions somebody changed is still what the change made.
  const isAsMade =
    theirs === null && ours?.kind === 'file' && base?.kind === 'file' && ours.hash === base.hash;
  if (same(ours, base) || isAsMade) {
    const held = theirs && (await load(theirs));
    return theirs !== null && held === null ? NOT_KEPT : { kind: 'merged', held, isExact: true };
  }
  if (base?.kind === 'file' && ours?.kind === 'file' && theirs?.kind === 'file')
    return await mergeFiles(base, ours, theirs, load);
  return { kind: 'conflict', why: whyNot(base, ours) };
}

async function mergeFiles(
  base: EntryState,
  ours: Held,
  theirs: EntryState,
  load: LoadState,
): Promise<StateMerge> {
  const mode = ours.mode === base.mode ? theirs.mode : ours.mode;
  // The change left the bytes alone, or they are back already: only the permissions are at stake.
  if (theirs.hash === base.hash || theirs.hash === ours.hash)
    return { kind: 'merged', held: { ...ours, mode }, isExact: false };
  const wanted = await load(theirs);
  if (wanted === null) return NOT_KEPT;
  if (ours.hash === base.hash) return { kind: 'merged', held: { ...wanted, mode }, isExact: false };
  const former = await load(base);
  if (former === null)
    return { kind: 'not_kept', why: 'What the change left is not kept, and it was changed since.' };
  const merged = await mergeBytes(former.bytes, ours.bytes, wanted.bytes);
  if (!merged.isClean) return { kind: 'conflict', why: merged.why };
  const { bytes } = merged;
  return { kind: 'merged', held: { kind: 'file', bytes, hash: sha256(bytes), mode }, isExact: false };
}

function whyNot(base: EntryState | null, ours: Held | null): string {
  if (ours === null) return 'It was deleted or moved since.';
  if (ours.kind === 'folder') return 'A folder is there now.';
  if (base === null) return 'It was made again since.';
  return 'It was changed since.';
}
