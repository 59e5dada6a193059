import type { ReviewFile, TurnRef } from '../../../shared/model/change';
import { formatCount } from '../format';

/** Longer requests are cut where a turn is named. */
const MAX_REQUEST = 48;

const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`;

/** `Turn 3: fix the parser`. */
export const turnWords = ({ number, request }: TurnRef, most = MAX_REQUEST): string =>
  request === '' ? `Turn ${number}` : `Turn ${number}: ${cut(request, most)}`;

export interface PendingTotals {
  readonly files: number;
  readonly hunks: number;
  readonly additions: number;
  readonly deletions: number;
}

/** What is reviewed as a whole counts as one change. */
export const changesOf = ({ hunkCount }: Pick<ReviewFile, 'hunkCount'>): number => Math.max(1, hunkCount);

export function pendingTotals(files: readonly ReviewFile[]): PendingTotals {
  return files.reduce(
    (sum, file) => ({
      files: sum.files + 1,
      hunks: sum.hunks + changesOf(file),
      additions: sum.additions + file.additions,
      deletions: sum.deletions + file.deletions,
    }),
    { files: 0, hunks: 0, additions: 0, deletions: 0 },
  );
}

/** `3 files · +12 −4`. */
export function totalsWords({ files, additions, deletions }: PendingTotals): string {
  const lines = [additions > 0 && `+${additions}`, deletions > 0 && `−${deletions}`]
    .filter(Boolean)
    .join(' ');
  return [formatCount(files, 'file'), lines].filter((part) => part !== '').join(' · ');
}
