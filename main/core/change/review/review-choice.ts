import { AppError } from '../../../../shared/error';
import type { PendingFile } from './pending-file';
import type { PendingHunk } from './review-hunks';
import type { TurnFilter } from './turn-filter';
import type { ReviewDecision } from '../types';

/** What of a file a decision is about. */
export interface Choice {
  file: PendingFile;
  hunks: PendingHunk[];
  /** Nothing of the file is left pending. */
  isAll: boolean;
}

/** The hunks that a filter leaves; null when nothing of the file fits. */
export function filtered(file: PendingFile, filter: TurnFilter): PendingHunk[] | null {
  if (file.hunks.length === 0) return filter.fits(file.agents) ? [] : null;
  const hunks = file.hunks.filter(({ agents }) => filter.fits(agents));
  return hunks.length === 0 ? null : hunks;
}

/** @throws AppError `stale` when a hunk of the decision is not there (any more), or the file is not the one that was seen */
export function choiceOf(
  file: PendingFile,
  filter: TurnFilter,
  { hunkIds, currentHash }: Pick<ReviewDecision, 'hunkIds' | 'currentHash'>,
): Choice | null {
  if (currentHash !== undefined && currentHash !== (file.present?.state.hash ?? null)) throw stale(file.path);
  const fitting = filtered(file, filter);
  if (fitting === null) return null;
  if (hunkIds === null) return { file, hunks: fitting, isAll: fitting.length === file.hunks.length };
  const wanted = new Set(hunkIds);
  const hunks = file.hunks.filter(({ id }) => wanted.has(id));
  if (hunks.length !== wanted.size) throw stale(file.path);
  return hunks.length === 0 ? null : { file, hunks, isAll: hunks.length === file.hunks.length };
}

export const stale = (path: string): AppError =>
  new AppError('stale', `\`${path}\` changed since these changes were shown.`, {
    hint: 'Look at it again, then decide. Nothing was written.',
    detail: { path },
  });

export const notPending = (path: string): AppError =>
  new AppError('not_found', `Nothing of \`${path}\` waits for review.`, { detail: { path } });
