import type { ChangeSet, ConflictView } from '../../../../shared/model/change';
import { Sha256 } from '../../../../shared/model/ids';
import { withMarkers } from '../../../../shared/text/merge-texts';
import { decodeText, encodeText, textFile, type TextFile } from '../../edit/text-codec';
import { restoreLineEndings } from '../../workspace/line-endings';
import { sha256 } from '../../workspace/workspace-files';
import { isNoText, mergeBytes } from '../merge/merge-bytes';
import type { OpenConflict } from './conflict-list';
import { Fold, type FoldPort } from './fold';
import type { Held } from './held';
import { stepsAbout, stepsOf } from './steps';

/** The sides of a conflict as the disk and the log are now. */
export interface Sides {
  /** Null: the file does not exist. */
  current: Held | null;
  /** What the undo alone would leave, and where. */
  wanted: Held | null;
  wantedPath: string;
  merged: { text: string; regions: ConflictView['regions'] } | null;
}

/** Works a conflict out again: what is in the way may have changed since. */
export async function sidesOf(
  conflict: OpenConflict,
  sets: readonly ChangeSet[],
  port: FoldPort,
): Promise<Sides> {
  const fold = new Fold(port);
  await fold.takeBack(stepsAbout(stepsOf(sets), conflict.about));
  fold.settle();
  const now = await port.now(conflict.path);
  const current = 'held' in now ? now.held : null;
  const failure = fold.failureOf(conflict.about);
  if (failure === null) {
    const place = fold.after.get(conflict.path) ?? null;
    const text = place?.held ? await textOf(place.held) : null;
    const merged = text && { text: text.text, regions: [] };
    return { current, wanted: place?.held ?? null, wantedPath: conflict.path, merged };
  }
  const { wanted, ours } = failure;
  const base = failure.base && (await port.load(failure.base));
  const merged = await mergedOf(base, ours ?? current, wanted.held);
  return { current, wanted: wanted.held, wantedPath: wanted.path, merged };
}

async function mergedOf(base: Held | null, ours: Held | null, wanted: Held | null): Promise<Sides['merged']> {
  if (base === null || ours === null || wanted === null) {
    const only = ours ?? wanted;
    const text = only && (await textOf(only));
    return text && { text: text.text, regions: [] };
  }
  const merge = await mergeBytes(base.bytes, ours.bytes, wanted.bytes);
  if (!merge.isClean && merge.pieces !== null) return withMarkers(merge.pieces);
  const text = merge.isClean ? await textOf({ ...ours, bytes: merge.bytes }) : await textOf(ours);
  return text && { text: text.text, regions: [] };
}

/** Null for what is no text. */
export async function textOf({ kind, bytes }: Pick<Held, 'kind' | 'bytes'>): Promise<TextFile | null> {
  if (kind !== 'file') return null;
  try {
    return await decodeText(bytes, '');
  } catch (error) {
    if (isNoText(error)) return null;
    throw error;
  }
}

export async function viewOf(conflict: OpenConflict, sides: Sides): Promise<ConflictView> {
  const { current, wanted, merged } = sides;
  const textOrNull = async (side: Held | null) => side && (await textOf(side));
  const texts = await Promise.all([current, wanted].map(textOrNull));
  const isBinary = [current, wanted].some((side, at) => side !== null && texts[at] === null);
  return {
    ...{ id: conflict.id, path: conflict.path, isBinary },
    current: texts[0]?.text ?? null,
    wanted: texts[1]?.text ?? null,
    merged: isBinary ? null : (merged?.text ?? null),
    regions: isBinary ? [] : (merged?.regions ?? []),
    currentHash: current === null ? null : Sha256.parse(current.hash),
  };
}

/** A decided text as bytes: those of the side that it is the text of, else in the encoding of the file as it is. */
export async function decided(text: string, { current, wanted }: Sides): Promise<Held> {
  const sides = [current, wanted].filter((side) => side !== null);
  const files = await Promise.all(sides.map(textOf));
  const same = sides[files.findIndex((file) => file?.text === text)];
  const mode = current?.kind === 'file' ? current.mode : wanted?.kind === 'file' ? wanted.mode : 0o644;
  if (same !== undefined) return { ...same, mode };
  const like = files.find((file) => file !== null) ?? textFile('', 'utf-8', false);
  const bytes = await encodeText(like, restoreLineEndings(like, text), '');
  return { kind: 'file', bytes, hash: sha256(bytes), mode };
}
