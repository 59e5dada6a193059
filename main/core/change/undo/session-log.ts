import { AppError } from '../../../../shared/error';
import type { ChangeSet, ChangeSetId } from '../../../../shared/model/change';
import type { SessionId, TurnId } from '../../../../shared/model/ids';
import type { ChangeLog } from '../types';
import type { Targets } from './targets';

/** Newest entries of a project that are looked through. */
const MOST = 20_000;

/** A turn by its number, or the last one of which something is not taken back. @throws AppError `not_found` */
export function turnToUndo(
  targets: Targets,
  sessionId: SessionId,
  wanted: number | null,
): { turnId: TurnId; number: number } {
  const turns = targets.numbered(sessionId);
  if (wanted !== null) {
    const turn = turns.find(({ number }) => number === wanted);
    if (turn) return turn;
    throw new AppError('not_found', `This session has no turn ${wanted}.`, {
      hint: `It has ${turns.at(-1)?.number ?? 0}.`,
    });
  }
  const last = turns.findLast(
    ({ turnId }) => targets.aim({ kind: 'turn', sessionId, turnId }).sets.length > 0,
  );
  // A turn that was gone on with is undone from the message that began it.
  const first = turns.find(({ number }) => number === last?.number);
  if (first) return first;
  throw new AppError('not_found', 'No turn of this session changed files that are not taken back already.');
}

const TAKES_BACK = new Set(['undo', 'restore', 'reject', 'resolve']);

/** The newest undo of a session that was not redone. @throws AppError `not_found` */
export function undoToRedo(targets: Targets, log: ChangeLog, sessionId: SessionId): ChangeSetId {
  const found = log
    .list({ limit: MOST })
    .find(
      (set) =>
        set.author.kind === 'undo' &&
        TAKES_BACK.has(set.author.cause) &&
        set.undoneBy === null &&
        set.changes.length > 0 &&
        targets.sessionOf(set) === sessionId,
    );
  if (found) return found.id;
  throw new AppError('not_found', 'There is no undo of this session that could be redone.');
}

/** Entries of a session with its subagents and its undos, oldest first. */
export function sessionLog(
  targets: Targets,
  log: ChangeLog,
  sessionId: SessionId,
): { set: ChangeSet; turn: number | null }[] {
  const numbers = new Map<string, number>(
    targets.numbered(sessionId).map(({ turnId, number }) => [turnId, number]),
  );
  return log
    .list({ limit: MOST })
    .filter((set) => targets.sessionOf(set) === sessionId)
    .reverse()
    .map((set) => ({ set, turn: ('turnId' in set.author && numbers.get(set.author.turnId)) || null }));
}
