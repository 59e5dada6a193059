import type { ReviewFile, ReviewHunk } from '../../../shared/model/change';
import { stopKey, type FileTexts, type ReviewState } from './review-state';

interface BlockBase {
  readonly key: string;
  readonly file: ReviewFile;
}

/** One row of the scroll: a file's head, what stands for a file without hunks, or (a piece of) a hunk. */
export type ReviewBlock =
  | (BlockBase & { readonly kind: 'file'; readonly folded: boolean; readonly note: string | null })
  | (BlockBase & { readonly kind: 'whole'; readonly stop: string; readonly texts: FileTexts })
  | (BlockBase & {
      readonly kind: 'hunk';
      /** Null on the pieces after the first. */
      readonly stop: string | null;
      readonly hunk: ReviewHunk;
      /** Lines of the hunk that this piece shows; the end is exclusive. */
      readonly from: number;
      readonly to: number;
      /** 1-based place among the file's pending hunks. */
      readonly number: number;
      readonly count: number;
    });

/** Longer hunks are drawn in pieces: no row may take longer than a frame. */
export const PIECE_LINES = 12;

function hunkBlocks(file: ReviewFile, hunk: ReviewHunk, number: number, count: number): ReviewBlock[] {
  const blocks: ReviewBlock[] = [];
  const { length } = hunk.hunk.lines;
  for (let from = 0; from === 0 || from < length; from += PIECE_LINES) {
    const stop = from === 0 ? stopKey(file.path, hunk.id) : null;
    const to = Math.min(length, from + PIECE_LINES);
    const key = `h\0${file.path}\0${hunk.id}\0${from}`;
    blocks.push({ kind: 'hunk', key, file, stop, hunk, from, to, number, count });
  }
  return blocks;
}

function fileBlocks(state: ReviewState, file: ReviewFile, folded: boolean): ReviewBlock[] {
  const { decided, notes } = state;
  const texts = state.texts.get(file.path) ?? { kind: 'loading' };
  const whole = stopKey(file.path, null);
  if (decided.has(whole)) return [];
  const note = notes.get(file.path) ?? null;
  const head: ReviewBlock = { kind: 'file', key: `f\0${file.path}`, file, folded, note };
  const body: ReviewBlock = { kind: 'whole', key: `w\0${file.path}`, file, stop: whole, texts };
  if (texts.kind !== 'ready' || texts.texts.hunks.length === 0) return folded ? [head] : [head, body];
  const hunks = texts.texts.hunks.filter(({ id }) => !decided.has(stopKey(file.path, id)));
  if (hunks.length === 0) return [];
  if (folded) return [head];
  return [head, ...hunks.flatMap((hunk, at) => hunkBlocks(file, hunk, at + 1, hunks.length))];
}

/** Everything that is on the page, top to bottom. */
export const reviewBlocks = (state: ReviewState, folded: ReadonlySet<string>): ReviewBlock[] =>
  state.files.flatMap((file) => fileBlocks(state, file, folded.has(file.path)));

/** Where the keys stop. */
export interface Stop {
  readonly key: string;
  readonly file: ReviewFile;
  /** Null for a file without hunks. */
  readonly hunk: ReviewHunk | null;
  /** Index of its block. */
  readonly at: number;
}

export function stopsOf(blocks: readonly ReviewBlock[]): Stop[] {
  return blocks.flatMap((block, at): Stop[] => {
    if (block.kind === 'file' || block.stop === null) return [];
    return [{ key: block.stop, file: block.file, hunk: block.kind === 'hunk' ? block.hunk : null, at }];
  });
}

/** Pixels of a row before it was measured. */
export function guessHeight(block: ReviewBlock): number {
  if (block.kind === 'file') return block.note === null ? 36 : 64;
  if (block.kind === 'hunk') return (block.from === 0 ? 32 : 0) + (block.to - block.from) * 18;
  if (block.texts.kind === 'loading' && !block.file.isOpaque) {
    const { additions, deletions, hunkCount } = block.file;
    return hunkCount * 32 + (additions + deletions + hunkCount * 6) * 18;
  }
  return 72;
}
