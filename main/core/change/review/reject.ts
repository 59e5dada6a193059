import { randomUUID } from 'node:crypto';
import { AppError } from '../../../../shared/error';
import type { ChangeSet, UndoneFile, UndoResult } from '../../../../shared/model/change';
import { WorkspacePath, type SessionId } from '../../../../shared/model/ids';
import type { SessionRuntime } from '../../session/session-runtime';
import { turnOf } from '../trace/turn-refs';
import type { ChangeStore } from '../types';
import { carryOut } from '../undo/carry-out';
import { mark } from '../undo/finish';
import type { UndoPort } from '../undo/undo-port';
import { entryLabel } from '../undo/words';
import { agentSteps, planRejection, rejectedLabel, rejectionChange, type Rejection } from './reject-plan';
import type { Choice } from './review-choice';
import { rejectionFacts, sessionsOf, tellRejected, type ToldSession } from './tell-rejected';

/** What rejecting needs: the same as undoing. */
export type RejectPort = Pick<
  UndoPort,
  | 'store'
  | 'log'
  | 'blobs'
  | 'journal'
  | 'intents'
  | 'project'
  | 'isRunning'
  | 'between'
  | 'lastTurnOf'
  | 'newId'
>;

/** Contents are kept this many at a time. */
const KEPT_AT_ONCE = 16;

interface Plan {
  rejections: Rejection[];
  done: Choice[];
  /** Files whose former content is not kept. */
  left: UndoneFile[];
}

/**
 * Takes what was chosen back, all of it or nothing, as one entry of the log, and tells the sessions whose changes they were.
 *
 * @throws AppError `busy` while a turn of one of them runs, `stale`, and those of `writeFileSet`
 */
export async function reject(choices: readonly Choice[], port: RejectPort): Promise<UndoResult> {
  refuseRunning(choices, port);
  const told = sessionsOf(choices, (id) => rootOf(id, port));
  return await holding(told, [], port, (runtimes) => carriedOut(choices, told, runtimes, port));
}

function refuseRunning(choices: readonly Choice[], { isRunning }: RejectPort): void {
  const turns = choices.flatMap(agentSteps).flatMap(({ set }) => turnOf(set.author) ?? []);
  if (!turns.some(({ sessionId }) => isRunning(sessionId))) return;
  throw new AppError('busy', 'The session whose changes these are is still working.', {
    hint: 'Wait until its turn ends, or stop it first. Accepting is possible meanwhile.',
  });
}

function rootOf(id: SessionId, port: RejectPort): SessionId | null {
  const session = port.store.sessions.get(id);
  if (session === null) return null;
  return session.parentId === null ? id : (rootOf(session.parentId, port) ?? id);
}

/** Holds all sessions between their turns, one inside the other. */
async function holding<T>(
  [first, ...rest]: readonly ToldSession[],
  held: readonly SessionRuntime[],
  port: RejectPort,
  work: (runtimes: readonly SessionRuntime[]) => Promise<T>,
): Promise<T> {
  if (first === undefined) return await work(held);
  return await port.between(first.sessionId, (runtime) => holding(rest, [...held, runtime], port, work));
}

async function planAll(choices: readonly Choice[], port: RejectPort): Promise<Plan> {
  const plan: Plan = { rejections: [], done: [], left: [] };
  for (const choice of choices) {
    const planned = await planRejection(choice, port.blobs);
    if (planned === null) plan.left.push(notKept(choice));
    else {
      plan.rejections.push(...planned);
      plan.done.push(choice);
    }
  }
  return plan;
}

async function carriedOut(
  choices: readonly Choice[],
  told: readonly ToldSession[],
  runtimes: readonly SessionRuntime[],
  port: RejectPort,
): Promise<UndoResult> {
  const { rejections, done, left } = await planAll(choices, port);
  if (done.length === 0) return { setId: null, files: left, conflicts: [], cannot: [] };
  const files = rejections.map(({ path, outcome }) => ({
    path: WorkspacePath.parse(path),
    outcome,
    why: '',
  }));
  const entry = await written({ rejections, done, left }, told, files, port);
  for (const [at, session] of told.entries()) {
    const mine = { ...session, choices: session.choices.filter((choice) => done.includes(choice)) };
    const runtime = runtimes[at];
    if (runtime === undefined || mine.choices.length === 0) continue;
    tellRejected(runtime, mine, port.lastTurnOf(runtime), rejectionFacts(mine, entry.id, files));
  }
  return { setId: entry.id, files: [...files, ...left], conflicts: [], cannot: [] };
}

/**
 * Writes the files and stores the entry. What is about to be written is noted down first, as an undo does it, so that a
 * process that dies in between leaves nothing unsaid.
 */
async function written(
  { rejections, done }: Plan,
  told: readonly ToldSession[],
  files: readonly UndoneFile[],
  port: RejectPort,
): Promise<ChangeSet> {
  const { blobs, store, log, intents } = port;
  const project = port.project();
  const kept = new Set(done.flatMap(({ file }) => [...file.kept]));
  const sides = rejections.flatMap(({ from, to }) => [from, to]).filter((side) => side !== null);
  for (let at = 0; at < sides.length; at += KEPT_AT_ONCE) {
    const some = sides.slice(at, at + KEPT_AT_ONCE).filter(({ hash }) => !kept.has(hash));
    await Promise.all(some.map(({ bytes, hash }) => blobs.keep(bytes, hash)));
  }
  const undoes = [...new Set(done.flatMap(agentSteps).map(({ set }) => set.id))];
  const set = {
    id: randomUUID(),
    author: { kind: 'undo' as const, cause: 'reject' as const, undoes },
    label: entryLabel('reject', rejectedLabel(done)),
    changes: rejections.map(rejectionChange),
    at: Date.now(),
  };
  const gone = wholly(done).map(({ id }) => id);
  const [first] = told;
  const intent = await intents.begin({
    ...{ root: project.files.root, projectId: project.id, set, done: gone, conflicts: [] },
    sessionId: first?.sessionId ?? null,
    undo: rejectionFacts(first ?? { turnId: null, choices: done }, null, files),
  });
  try {
    await carryOut(rejections, {
      ...{ files: project.files, journal: port.journal },
      keepsFolder: (folder) => wasFolder(store.changes, project.id, folder),
    });
  } catch (error) {
    // Half done, it is for the next start to find out what of it is there.
    if (!(error instanceof AppError && error.detail?.['undone'] === false)) await intents.end(intent);
    throw error;
  }
  const entry = log.record(set);
  for (const id of gone) mark(store.changes, id, entry.id);
  await intents.end(intent);
  return entry;
}

/** Somebody made this folder for its own sake, as far as the log knows. */
const wasFolder = (store: Pick<ChangeStore, 'chain'>, projectId: string, folder: string): boolean =>
  store
    .chain(projectId, folder)
    .some(({ change }) => change.before?.kind === 'folder' || change.after?.kind === 'folder');

/** Entries of which nothing is left: they count as undone. */
function wholly(done: readonly Choice[]): ChangeSet[] {
  const paths = new Set<string>(
    done.flatMap(({ file, isAll }) => (isAll ? [file.path, ...file.formerPaths] : [])),
  );
  const sets = new Map(done.flatMap(agentSteps).map(({ set }) => [set.id, set]));
  return [...sets.values()].filter(({ changes }) => changes.every(({ path }) => paths.has(path)));
}

const notKept = ({ file }: Choice): UndoneFile => ({
  path: WorkspacePath.parse(file.path),
  outcome: 'not_kept',
  why: 'Its former content is not kept, so it can only be accepted.',
});
