import { AppError } from '../../../../shared/error';
import {
  ChangeSetId,
  type ChangeSet,
  type DecisionFacts,
  type DecisionUndo,
} from '../../../../shared/model/change';
import { WorkspacePath } from '../../../../shared/model/ids';
import type { AcceptNote, BaseMove } from './accepts';
import type { PendingFile } from './pending-file';
import type { AcceptedBase } from './review-start';
import type { ReviewOptions } from './review-options';

/** Entries of the log among which a reject is looked for. */
const SEARCHED = 200;

type Decision = { kind: 'accept'; note: AcceptNote } | { kind: 'reject'; set: ChangeSet };

function factsOf(decision: Decision): DecisionFacts {
  if (decision.kind === 'accept') {
    const { id, at, files, path } = decision.note;
    return { id, verdict: 'accept', at, files, path: path === null ? null : parsed(path) };
  }
  const { id, at, changes } = decision.set;
  const paths = [...new Set(changes.map((change) => change.path))];
  return {
    id,
    verdict: 'reject',
    at,
    files: paths.length,
    path: paths.length === 1 ? (paths[0] ?? null) : null,
  };
}

const parsed = (path: string): WorkspacePath => WorkspacePath.parse(path);

const isSame = (left: AcceptedBase | null, right: AcceptedBase | null): boolean =>
  left?.base.seq === right?.base.seq && left?.base.hash === right?.base.hash;

/** A file that waits as a whole is one change. */
const changesIn = (files: readonly PendingFile[]): number =>
  files.reduce((sum, { hunks }) => sum + Math.max(1, hunks.length), 0);

/** Takes the newest decision of the review back, whichever it was. */
export function createDecisionUndo({ pendingFiles, accepts, bases, undo, port }: ReviewOptions) {
  const newest = (): Decision | null => {
    const note = accepts.last(port.project().id);
    const set = port.log
      .list({ limit: SEARCHED })
      .find(
        ({ author, undoneBy }) => author.kind === 'undo' && author.cause === 'reject' && undoneBy === null,
      );
    if (set === undefined) return note && { kind: 'accept', note };
    return note !== null && note.afterSeq >= set.seq ? { kind: 'accept', note } : { kind: 'reject', set };
  };

  /** Whether the file waits again as it did before. */
  const putBack = async (projectId: string, { path, was, is }: BaseMove): Promise<boolean> => {
    if (!isSame(bases.get(projectId, path), is)) return false;
    const hash = was?.base.hash ?? null;
    if (hash !== null && (await port.blobs.load(hash)) === null) return false;
    bases.restore(projectId, path, was);
    return true;
  };

  const takeBack = async (note: AcceptNote): Promise<Pick<DecisionUndo, 'waits' | 'changes' | 'left'>> => {
    const { id } = port.project();
    const before = changesIn(await pendingFiles.all());
    const [back, left] = [new Set<string>(), new Set<string>()];
    for (const move of accepts.moves(id, note)) ((await putBack(id, move)) ? back : left).add(move.path);
    accepts.drop(id, note);
    port.log.tell([...back, ...left]);
    // Former names of a file that moved have bases of their own, and what was undone meanwhile doesn't wait again.
    const waiting = await pendingFiles.all();
    const waits = waiting.map(({ path }) => path).filter((path) => back.has(path));
    const changes = changesIn(waiting) - before;
    return { waits: waits.map(parsed), changes, left: [...left].map(parsed) };
  };

  return {
    last: (): DecisionFacts | null => {
      const decision = newest();
      return decision && factsOf(decision);
    },
    undo: async (id: string): Promise<DecisionUndo> => {
      const last = newest();
      const decision = last && factsOf(last);
      if (last === null || decision?.id !== id) throw notNewest();
      if (last.kind === 'accept') return { decision, result: null, ...(await takeBack(last.note)) };
      const result = await undo.undo({ kind: 'set', setId: ChangeSetId.parse(id) });
      return { decision, result, waits: [], changes: 0, left: [] };
    },
  };
}

const notNewest = (): AppError =>
  new AppError('stale', 'Another decision was made in the review since.', {
    hint: 'Undo takes back the newest decision first.',
  });
