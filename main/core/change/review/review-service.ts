import type { ReviewFilter } from '../../../../shared/contract/changes';
import type { ReviewFile } from '../../../../shared/model/change';
import { sha256 } from '../../workspace/workspace-files';
import type { ReviewDecision, ReviewService } from '../types';
import { TurnRefs } from '../trace/turn-refs';
import { withHunks } from './compose-text';
import { lastSeqOf, type BaseMove } from './accepts';
import { reject } from './reject';
import { createDecisionUndo } from './decision-undo';
import type { ReviewOptions } from './review-options';
import { choiceOf, filtered, notPending, type Choice } from './review-choice';
import { reviewFile, reviewTexts } from './review-view';
import { TurnFilter } from './turn-filter';

/** Pending changes of agents: shows, accepts and rejects them, by file, by hunk and by turn. */
export function createReviewService(options: ReviewOptions): ReviewService {
  const { pendingFiles, port } = options;
  const sessions = port.store;
  const decisions = createDecisionUndo(options);
  let last: Promise<unknown> = Promise.resolve();
  /** One decision at a time: each builds on what the one before left. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return mine;
  };
  const filterOf = (filter: ReviewFilter): TurnFilter => new TurnFilter(filter, sessions);

  const pending = async (filter: ReviewFilter): Promise<ReviewFile[]> => {
    const [wanted, refs] = [filterOf(filter), new TurnRefs(sessions)];
    return (await pendingFiles.all()).flatMap((file) => {
      const hunks = filtered(file, wanted);
      return hunks === null ? [] : [reviewFile(file, hunks, refs)];
    });
  };

  /** @throws AppError `not_found` when nothing of a named path waits, `stale` */
  const choices = async (decision: ReviewDecision): Promise<Choice[]> => {
    const wanted = filterOf(decision);
    if (decision.path === null) {
      const files = await pendingFiles.all();
      return files.flatMap((file) => choiceOf(file, wanted, { hunkIds: null }) ?? []);
    }
    const file = await pendingFiles.of(decision.path);
    const choice = file && choiceOf(file, wanted, decision);
    if (choice === null) throw notPending(decision.path);
    return [choice];
  };

  return {
    pending,
    pendingFile: async (path, filter) => {
      const file = await pendingFiles.of(path);
      const hunks = file && filtered(file, filterOf(filter));
      if (file === null || hunks === null) throw notPending(path);
      return reviewTexts(file, hunks, new TurnRefs(sessions));
    },
    accept: (decision) =>
      inTurn(async () => {
        const chosen = await choices(decision);
        await acceptAll(chosen, options);
        port.log.tell(chosen.map(({ file }) => file.path));
        return await pending(decision);
      }),
    reject: (decision) =>
      inTurn(async () => {
        const result = await reject(await choices(decision), port);
        return { pending: await pending(decision), result };
      }),
    lastDecision: decisions.last,
    undoDecision: (id) => inTurn(() => decisions.undo(id)),
  };
}

/** Accepts and notes what the bases were, so that it can be taken back. */
async function acceptAll(chosen: readonly Choice[], options: ReviewOptions): Promise<void> {
  const { bases, accepts, port } = options;
  const { id } = port.project();
  const files = chosen.map(({ file }) => file.path);
  const moves: BaseMove[] = [];
  for (const choice of chosen) {
    const paths = [choice.file.path, ...choice.file.formerPaths];
    const former = paths.map((path) => bases.get(id, path));
    await accept(choice, options);
    moves.push(...paths.map((path, at) => ({ path, was: former[at] ?? null, is: bases.get(id, path) })));
  }
  accepts.add(id, { files, afterSeq: lastSeqOf(port.log), moves });
}

/** Moves the base of one file: to what is there now, or by the accepted hunks alone. */
async function accept(
  { file, hunks, isAll }: Choice,
  { bases, port: { blobs, project } }: ReviewOptions,
): Promise<void> {
  const { id } = project();
  const { path, present, lines, lastSeq } = file;
  if (isAll || lines === null) {
    if (present?.bytes && !file.kept.has(present.state.hash))
      await blobs.keep(present.bytes, present.state.hash);
    bases.acceptAll(id, path, lastSeq, present?.state.hash ?? null);
    for (const former of file.formerPaths) bases.acceptAll(id, former, lastSeq, null);
    return;
  }
  const bytes = await withHunks(file, lines, hunks);
  const hash = sha256(bytes);
  await blobs.keep(bytes, hash);
  // The store lists a file as long as an entry of an agent lies after its base.
  const waiting = file.agents.filter((step) => step.path === path).map(({ set }) => set.seq);
  const seq = waiting.length === 0 ? lastSeq : Math.min(...waiting) - 1;
  bases.acceptPart(id, path, seq, hash, lastSeq);
}
