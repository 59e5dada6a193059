import { createStore } from '../../lib/store';

/** What is open of the list over the message box. */
export interface ReviewFolds {
  readonly open: boolean;
  /** Files whose hunks are shown. */
  readonly files: ReadonlySet<string>;
}

const FOLDED: ReviewFolds = { open: false, files: new Set() };

/** By session, for as long as the window lives. */
export const reviewFolds = createStore<ReadonlyMap<string, ReviewFolds>>(new Map());

export const foldsOf = (all: ReadonlyMap<string, ReviewFolds>, sessionId: string): ReviewFolds =>
  all.get(sessionId) ?? FOLDED;

const change = (sessionId: string, to: (now: ReviewFolds) => ReviewFolds): void =>
  reviewFolds.update((all) => new Map(all).set(sessionId, to(foldsOf(all, sessionId))));

/** Opens or folds the list; the only file that waits opens with it. */
export const toggleList = (sessionId: string, paths: readonly string[]): void =>
  change(sessionId, ({ open, files }) => ({
    open: !open,
    files: !open && paths.length === 1 ? new Set([...files, ...paths]) : files,
  }));

export const toggleFile = (sessionId: string, path: string): void =>
  change(sessionId, ({ open, files }) => {
    const next = new Set(files);
    if (!next.delete(path)) next.add(path);
    return { open, files: next };
  });
