import { z } from 'zod';
import type { EntryState } from '../../../../shared/model/change';
import { Sha256 } from '../../../../shared/model/ids';
import type { StateStore } from '../../store/types';
import type { HistoryStep } from '../trace/path-history';
import type { ChangeStore, ReviewBase } from '../types';
import { standingOf } from './standing';

/** Where the review of a file begins: the content that counts as accepted, and what came after it. */
export interface ReviewStart {
  /** Index of the first step that is not covered. */
  from: number;
  /** What was accepted; of an accepted content only the hash is known. */
  base: EntryState | null;
  /** Index of the first step that the base does not hold already: people's changes from there on are put into it. */
  foldFrom: number;
  record: ReviewBase | null;
}

/**
 * A base that was accepted in part holds everything people did until then, while the agents' entries before it still
 * wait. Up to where that is lies beside the base, and counts only together with it.
 */
const Note = z.object({ hash: z.string(), seq: z.int() });

/** Entries are counted from 1: this says that nothing of a file counts as accepted, as before its first base. */
const NOTHING = { seq: 0, hash: null };
const isNothing = ({ seq, hash }: ReviewBase): boolean => seq === NOTHING.seq && hash === NOTHING.hash;

const scopeOf = (projectId: string): string => `review:${projectId}`;

/** What counts as accepted of a file. */
export interface AcceptedBase {
  base: ReviewBase;
  /** People's changes up to this entry are in it. */
  holdsUntil: number;
}

/** The accepted bases of a project's files. */
export class ReviewBases {
  constructor(
    private readonly store: Pick<ChangeStore, 'reviewBase' | 'setReviewBase'>,
    private readonly state: StateStore,
  ) {}

  get(projectId: string, path: string): AcceptedBase | null {
    const base = this.store.reviewBase(projectId, path);
    if (base === null || isNothing(base)) return null;
    const note = Note.safeParse(this.state.get(scopeOf(projectId), path));
    const isPart = note.success && note.data.hash === base.hash;
    return { base, holdsUntil: isPart ? Math.max(note.data.seq, base.seq) : base.seq };
  }

  acceptAll(projectId: string, path: string, seq: number, hash: string | null): void {
    this.store.setReviewBase(projectId, { path, seq, hash });
  }

  /** @param seq the newest entry that still waits comes after it */
  acceptPart(projectId: string, path: string, seq: number, hash: string, holdsUntil: number): void {
    this.state.set(scopeOf(projectId), path, { hash, seq: holdsUntil });
    this.store.setReviewBase(projectId, { path, seq, hash });
  }

  /** Puts back what `get` gave before. */
  restore(projectId: string, path: string, former: AcceptedBase | null): void {
    if (former === null) return this.store.setReviewBase(projectId, { path, ...NOTHING });
    const { seq, hash } = former.base;
    if (hash === null || former.holdsUntil === seq) return this.acceptAll(projectId, path, seq, hash);
    this.acceptPart(projectId, path, seq, hash, former.holdsUntil);
  }
}

/** @returns null when no agent has changed the file since it was accepted */
export function reviewStart(
  steps: readonly HistoryStep[],
  bases: ReviewBases,
  projectId: string,
): ReviewStart | null {
  const paths = [...new Set(steps.map(({ path }) => path))].reverse();
  for (const path of paths) {
    const found = bases.get(projectId, path);
    const arrived = steps.find((step) => step.path === path)?.set.seq ?? 0;
    // A base from before the file came to this path is that of another file.
    if (found === null || (arrived > found.holdsUntil && steps[0]?.path !== path)) continue;
    const { base, holdsUntil } = found;
    const after = (seq: number): number => steps.filter(({ set }) => set.seq <= seq).length;
    const from = after(base.seq);
    return { from, base: acceptedState(base, steps), foldFrom: after(holdsUntil), record: base };
  }
  const { waits } = standingOf(steps, 0);
  const from = steps.findIndex(waits);
  return from === -1 ? null : { from, base: steps[from]?.before ?? null, foldFrom: from, record: null };
}

/** An accepted content as a state: its facts are those of the file around that time. */
function acceptedState({ seq, hash }: ReviewBase, steps: readonly HistoryStep[]): EntryState | null {
  if (hash === null) return null;
  const next = steps.find(({ set }) => set.seq > seq)?.before;
  const last = steps.findLast(({ set }) => set.seq <= seq)?.after;
  const known = next ?? last;
  const same = [next, last].find((state) => state?.hash === hash);
  if (same) return same;
  return { kind: 'file', hash: Sha256.parse(hash), mode: known?.mode ?? 0o644, sizeBytes: 0, isKept: true };
}
