import type { ReviewFile, ReviewHunk, TurnRef } from '../../../../shared/model/change';
import type { DiffLine } from '../../../../shared/model/diff';
import { SessionId, TurnId } from '../../../../shared/model/ids';
import { emptyReview, type FileTexts, type ReviewState } from '../review-state';

/** No filter. */
export const ALL = { sessionId: null, turnId: null };
export const turn = (number: number, session = 's1'): TurnRef => ({
  sessionId: SessionId.parse(session),
  sessionTitle: `Session ${session}`,
  turnId: TurnId.parse(`t${number}${session}`),
  number,
  request: `request ${number}`,
  at: number,
});

const lines = (count: number): DiffLine[] =>
  Array.from({ length: count }, () => ({ kind: 'add', text: 'x' }));
export const hunk = (id: string, count = 2): ReviewHunk => ({
  id,
  hunk: { oldStart: 1, oldLines: 0, newStart: 1, newLines: count, lines: lines(count) },
  turns: [],
  isMixed: false,
});
export const fileOf = (path: string, hunkCount: number, more: Partial<ReviewFile> = {}): ReviewFile => ({
  ...{ path, movedFrom: null, change: 'modify', additions: 1, deletions: 0, hunkCount, turns: [] },
  ...{ isOpaque: false, canReject: true },
  ...more,
});
export const ready = (file: ReviewFile, hunks: ReviewHunk[]): FileTexts => ({
  kind: 'ready',
  texts: { file, base: '', current: '', currentHash: null, hunks },
});

/** `{ 'a.ts': ['1', '2'] }`: files and the ids of their hunks; null for one that is not read yet. */
export function stateOf(tree: Record<string, string[] | null>, decided: string[] = []): ReviewState {
  const files = Object.entries(tree).map(([path, ids]) => fileOf(path, ids?.length ?? 1));
  const texts = new Map(
    files.flatMap((file) => {
      const ids = tree[file.path];
      return ids
        ? [
            [
              file.path,
              ready(
                file,
                ids.map((id) => hunk(id)),
              ),
            ] as const,
          ]
        : [];
    }),
  );
  return { ...emptyReview(ALL), ready: true, files, texts, decided: new Set(decided) };
}
