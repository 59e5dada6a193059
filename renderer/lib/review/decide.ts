import type { ReviewFilter } from '../../../shared/contract/changes';
import type { Client } from '../../../shared/contract/contract';
import { toErrorShape } from '../../../shared/error';
import type { ChangeSetId, ReviewFile, UndoResult } from '../../../shared/model/change';
import type { Sha256, WorkspacePath } from '../../../shared/model/ids';
import { changeFeedOf } from './change-feed';
import { EVERYTHING, setPending } from './pending-store';

export type Verdict = 'accept' | 'reject';

export interface Decision {
  readonly verdict: Verdict;
  /** Null: every pending file. */
  readonly path: WorkspacePath | null;
  /** Null: every hunk of the file. */
  readonly hunkIds: readonly string[] | null;
  readonly filter: ReviewFilter;
  /**
   * The file as it was shown: when it is another by now, it is not decided on as a whole. A hunk's id tells by itself whether
   * its lines are still the same.
   */
  readonly currentHash?: Sha256 | null;
}

export interface Outcome {
  /** The rejection's entry in the log, by which it can be undone. */
  readonly setId: ChangeSetId | null;
  /** Why something of it was not done, by path. */
  readonly problems: readonly { path: WorkspacePath; text: string }[];
}

const WHY = {
  conflict: 'It changed meanwhile in the same lines. Nothing was written.',
  not_kept: 'The former content is not kept, so it can’t be put back.',
} as const;

/** What a rejection left alone, in words. */
export function problemsOf({ files }: Pick<UndoResult, 'files'>): Outcome['problems'] {
  return files.flatMap(({ path, outcome, why }) =>
    outcome === 'conflict' || outcome === 'not_kept' ? [{ path, text: why || WHY[outcome] }] : [],
  );
}

const isEverything = ({ sessionId, turnId }: ReviewFilter): boolean => sessionId === null && turnId === null;

type DecideClient = Pick<Client, 'changes'>;

/** Accepts or rejects; failures of a single file come back as a problem of that file. @throws AppError */
export async function decide(client: DecideClient, decision: Decision): Promise<Outcome> {
  const { verdict, path, hunkIds, filter, currentHash } = decision;
  const input = {
    ...filter,
    path,
    hunkIds: hunkIds === null ? null : [...hunkIds],
    ...(currentHash === undefined || hunkIds !== null ? {} : { currentHash }),
  };
  const note = (files: readonly ReviewFile[]): void => {
    if (isEverything(filter)) setPending(files);
  };
  try {
    if (verdict === 'accept') {
      note(await client.changes.accept(input));
      return { setId: null, problems: [] };
    }
    const { pending, result } = await client.changes.reject(input);
    note(pending);
    return { setId: result.setId, problems: problemsOf(result) };
  } catch (error) {
    if (path === null) throw error;
    // What is on screen may be out of date: everybody looks again.
    changeFeedOf(client).note(null);
    const { message, hint } = toErrorShape(error);
    return { setId: null, problems: [{ path, text: hint === undefined ? message : `${message} ${hint}` }] };
  }
}

/** Accepts or rejects everything that is pending. @throws AppError */
export const decideAll = (
  client: DecideClient,
  verdict: Verdict,
  filter: ReviewFilter = EVERYTHING,
): Promise<Outcome> => decide(client, { verdict, path: null, hunkIds: null, filter });
