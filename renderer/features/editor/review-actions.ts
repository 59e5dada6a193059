import type * as Monaco from 'monaco-editor';
import type { Client } from '../../../shared/contract/contract';
import type { ReviewHunk, ReviewTexts } from '../../../shared/model/change';
import { decide, type Verdict } from '../../lib/review/decide';
import { EVERYTHING } from '../../lib/review/pending-store';
import { pushToast, toastError } from '../../lib/toast-store';
import { textViewOf } from './editor-state';
import { frontReview } from './review-texts';

/** Where a hunk is in the text on screen, edits since included. 1-based, both ends belong to it. */
export interface HunkPlace {
  readonly hunk: ReviewHunk;
  readonly start: number;
  readonly end: number;
}

export interface ShownReview {
  readonly code: Monaco.editor.ICodeEditor;
  readonly texts: ReviewTexts;
  places(): readonly HunkPlace[];
}

let shown: ShownReview | null = null;

/** What the code on screen shows of the review; the marks tell. */
export function setShownReview(review: ShownReview | null): void {
  shown = review;
}

/** The place that a step leads to from a line, round the ends. */
export function stepPlace(places: readonly HunkPlace[], line: number, by: 1 | -1): HunkPlace | null {
  const sorted = places.toSorted((left, right) => left.start - right.start);
  if (by > 0) return sorted.find(({ start }) => start > line) ?? sorted[0] ?? null;
  return sorted.findLast(({ end }) => end < line) ?? sorted.at(-1) ?? null;
}

const lineOf = ({ code }: ShownReview): number => code.getPosition()?.lineNumber ?? 1;

/** Moves the cursor to the next or previous pending change of the file in front. */
export function stepChange(by: 1 | -1): void {
  const place = shown && stepPlace(shown.places(), lineOf(shown), by);
  if (!shown || !place) return;
  const { code } = shown;
  code.setPosition({ lineNumber: place.start, column: 1 });
  // With the line before: the bar and the removed lines lie between the two.
  code.revealLinesInCenterIfOutsideViewport(Math.max(1, place.start - 1), place.start);
  code.focus();
}

/** Text that is not on the disk yet would meet what a rejection writes. */
function isUnsaved(path: string): boolean {
  if (textViewOf(path)?.sync.dirty !== true) return false;
  pushToast({
    tone: 'warn',
    title: 'The file has unsaved edits',
    text: 'Save it, then reject: a rejection is written to the disk.',
  });
  return true;
}

/** Accepts or rejects hunks of the file in front (null: all of it). */
export async function decideInFront(
  client: Client,
  verdict: Verdict,
  hunkIds: readonly string[] | null,
): Promise<void> {
  const texts = frontReview.get();
  if (!texts || (verdict === 'reject' && isUnsaved(texts.file.path))) return;
  const { path } = texts.file;
  const { currentHash } = texts;
  try {
    const { problems } = await decide(client, { verdict, path, hunkIds, filter: EVERYTHING, currentHash });
    for (const { text } of problems) pushToast({ tone: 'warn', title: `${path} was left as it is`, text });
  } catch (error) {
    toastError(error);
  }
}

/** Accepts or rejects the change that the cursor is in. */
export async function decideAtCursor(client: Client, verdict: Verdict): Promise<void> {
  const line = shown ? lineOf(shown) : 0;
  const place = shown?.places().find(({ start, end }) => line >= start && line <= end);
  if (!place) {
    pushToast({
      tone: 'info',
      title: 'The cursor is in no change of the agent',
      text: 'F7 goes to the next one.',
    });
    return;
  }
  await decideInFront(client, verdict, [place.hunk.id]);
}
