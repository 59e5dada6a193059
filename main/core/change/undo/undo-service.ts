import { AppError } from '../../../../shared/error';
import type { UndoTarget } from '../../../../shared/contract/changes';
import {
  ChangeSetId,
  ConflictId,
  type ChangeSet,
  type ConflictView,
  type UndoneFile,
  type UndoResult,
} from '../../../../shared/model/change';
import { WorkspacePath, type MessageId, type SessionId, type TurnId } from '../../../../shared/model/ids';
import type { UndoFacts } from '../../../../shared/model/turn-event';
import type { SessionRuntime } from '../../session/session-runtime';
import type { UndoService } from '../types';
import { cannotReach } from './cannot';
import { ConflictList, type OpenConflict } from './conflict-list';
import { sidesOf, viewOf } from './conflict-sides';
import { resolution } from './resolution';
import { CheckpointFinder } from './checkpoint';
import type { FoldPort } from './fold';
import { loaderOf } from './load-state';
import { lookAt } from './look';
import { planUndo, type Transition, type UndoPlan } from './plan';
import { recoverUndos } from './recover-undos';
import { sessionLog, turnToUndo, undoToRedo } from './session-log';
import { pathsOf, stepsAbout, stepsOf } from './steps';
import { Targets, type Aim } from './targets';
import type { UndoPort } from './undo-port';
import { writeUndo } from './undo-writer';
import { entryLabel } from './words';

/** Files that an event lists; the log has all of them. */
const MAX_LISTED = 200;
/** How often a plan is made again when files change under it. */
const ATTEMPTS = 3;

/** Takes changes back around later ones, and undos too. One at a time: they may be about the same files. */
export class Undo implements UndoService {
  private last: Promise<unknown> = Promise.resolve();
  readonly targets: Targets;
  private readonly conflicts: ConflictList;
  private readonly checkpoints: CheckpointFinder;

  constructor(private readonly port: UndoPort) {
    this.targets = new Targets(port.store, () => port.project().id);
    this.conflicts = new ConflictList(port.store.state);
    this.checkpoints = new CheckpointFinder(port.store.branches);
  }

  async preview(target: UndoTarget): Promise<UndoResult> {
    return await this.previewAim(this.targets.aim(target));
  }

  async undo(target: UndoTarget): Promise<UndoResult> {
    const aim = this.targets.aim(target);
    if (aim.sets.length === 0) throw nothingToUndo(aim);
    return await this.takeBack(aim);
  }

  async redo(setId: string): Promise<UndoResult> {
    const aim = this.targets.aim({ kind: 'set', setId: ChangeSetId.parse(setId) });
    const set = this.port.store.changes.get(setId);
    if (set?.author.kind !== 'undo') {
      throw new AppError('bad_argument', 'Only an undo can be redone.', {
        hint: 'Undo takes other changes back.',
      });
    }
    if (aim.sets.length === 0) {
      throw new AppError('not_found', 'This undo was redone already.', {
        hint: 'Undo the change again if it is to go.',
      });
    }
    return await this.takeBack({ ...aim, cause: 'redo' });
  }

  async conflict(id: string): Promise<ConflictView> {
    const conflict = this.conflicts.get(this.port.project().id, id);
    return await viewOf(conflict, await this.sides(conflict));
  }

  async resolve(id: string, text: string | null, currentHash: string | null): Promise<UndoResult> {
    const conflict = this.conflicts.get(this.port.project().id, id);
    return await this.held(conflict.sessionId, async (runtime) => {
      const sides = await this.sides(conflict);
      if ((sides.current?.hash ?? null) !== currentHash) {
        throw new AppError('stale', `${conflict.path} was changed while you decided.`, {
          hint: 'Look at it again, then decide.',
        });
      }
      const transitions = await resolution(conflict, sides, text, (path) => this.look(path));
      return await this.writeResolved(conflict, transitions, runtime);
    });
  }

  dropConflict(id: string): void {
    this.conflicts.remove(this.port.project().id, (open) => open.id === id);
    this.port.log.tell([]);
  }

  async previewRestore(sessionId: string, messageId: string): Promise<UndoResult> {
    const { turnId } = this.checkpoints.find(sessionId as SessionId, messageId as MessageId);
    return await this.previewAim(this.targets.since(sessionId as SessionId, turnId));
  }

  async restore(
    sessionId: string,
    messageId: string,
    what: 'files' | 'chat' | 'both',
  ): ReturnType<UndoService['restore']> {
    const [id, message] = [sessionId as SessionId, messageId as MessageId];
    const { turnId } = this.checkpoints.find(id, message);
    const aim = this.targets.since(id, turnId);
    // Told before the chat goes back: the fork that is kept then knows it too.
    const files = what === 'chat' ? null : aim.sets.length === 0 ? NOTHING : await this.takeBack(aim);
    const chat = what === 'files' ? null : await this.port.rewind(id, message, true, 'before restore');
    if (chat !== null && files !== null && files.files.length > 0) await this.tellAgain(id, aim, files);
    return { files, chat };
  }

  /** What was told before the chat went back is gone from it; its model knows nothing of those changes. */
  private async tellAgain(id: SessionId, aim: Aim, { setId, files, conflicts }: UndoResult): Promise<void> {
    const undo: UndoFacts = { ...factsOf(aim), setId, ...listed(files), conflicts };
    await this.held(id, (runtime) => {
      if (runtime) runtime.log.append(this.port.lastTurnOf(runtime), [{ type: 'files.undone', undo }]);
      return Promise.resolve();
    });
  }

  private async previewAim(aim: Aim): Promise<UndoResult> {
    const plan = await planUndo(stepsFor(aim), this.foldPort(aim).port);
    const conflicts = plan.failures.filter(({ kind }) => kind === 'conflict');
    return {
      setId: null,
      files: plan.files,
      conflicts: conflicts.map(({ path }, at) => ({
        id: ConflictId.parse(`preview-${at}`),
        path: WorkspacePath.parse(path),
      })),
      cannot: cannotReach(aim.sets),
    };
  }

  private async takeBack(aim: Aim): Promise<UndoResult> {
    return await this.held(aim.sessionId, async (runtime) => {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await this.attempt(aim, runtime);
        } catch (error) {
          // A file was written between the plan and the replacing: the plan is made anew on what is there now.
          const isStale = error instanceof AppError && error.code === 'stale';
          if (!isStale || attempt === ATTEMPTS) throw error;
        }
      }
    });
  }

  private async attempt(aim: Aim, runtime: SessionRuntime | null): Promise<UndoResult> {
    const { port, kept } = this.foldPort(aim);
    const plan = await planUndo(stepsFor(aim), port);
    const conflicts = this.conflictsOf(aim, plan);
    const facts: UndoFacts = {
      ...factsOf(aim),
      ...listed(plan.files),
      conflicts: conflicts.map(({ id, path }) => ({ id, path })),
    };
    const author = { kind: 'undo' as const, cause: aim.cause, undoes: aim.sets.map(({ id }) => id) };
    const entry = await writeUndo(this.port, {
      ...{
        project: this.port.project(),
        transitions: plan.transitions,
        folders: plan.folders,
        kept,
        runtime,
      },
      outcome: {
        set: { id: this.port.newId(), author, label: entryLabel(aim.cause, aim.label), at: Date.now() },
        done: doneOf(aim, plan).map(({ id }) => id),
        sessionId: runtime?.id ?? null,
        undo: facts,
        conflicts,
      },
    });
    return {
      setId: entry?.id ?? null,
      files: plan.files,
      conflicts: conflicts.map(({ id, path }) => ({ id, path })),
      cannot: cannotReach(aim.sets),
    };
  }

  private conflictsOf(aim: Aim, { failures }: UndoPlan): OpenConflict[] {
    return failures
      .filter(({ kind }) => kind === 'conflict')
      .map(({ path, step }) => ({
        id: ConflictId.parse(this.port.newId()),
        path: WorkspacePath.parse(path),
        about: step.change.path,
        sets: aim.sets.map(({ id }) => id),
        sessionId: aim.sessionId,
        label: aim.label,
      }));
  }

  private async writeResolved(
    conflict: OpenConflict,
    transitions: Transition[],
    runtime: SessionRuntime | null,
  ): Promise<UndoResult> {
    const project = this.port.project();
    const others = this.conflicts.all(project.id).filter(({ id }) => id !== conflict.id);
    const files: UndoneFile[] = transitions.map(({ path }) => ({
      ...{ path: WorkspacePath.parse(path), outcome: 'merged', why: '' },
    }));
    const undo: UndoFacts = {
      ...{ setId: null, cause: 'resolve', targetTurnId: null, targetCallId: null, label: conflict.label },
      ...listed(files),
      conflicts: [],
    };
    const label = entryLabel('resolve', conflict.label);
    const entry = await writeUndo(this.port, {
      ...{ project, transitions, folders: new Set<string>(), kept: new Set<string>(), runtime },
      outcome: {
        set: {
          author: { kind: 'undo', cause: 'resolve', undoes: conflict.sets },
          ...{ id: this.port.newId(), label, at: Date.now() },
        },
        done: conflict.sets.filter((id) => this.isSettled(id, others)),
        ...{ sessionId: runtime?.id ?? null, undo, conflicts: [] },
      },
    });
    this.conflicts.remove(project.id, ({ id }) => id === conflict.id);
    return { setId: entry?.id ?? null, files, conflicts: [], cannot: [] };
  }

  /** No other conflict is about this entry, and nothing took it back yet. */
  private isSettled(id: string, others: readonly OpenConflict[]): boolean {
    const set = this.port.store.changes.get(id);
    return set?.undoneBy === null && !others.some(({ sets }) => sets.some((each) => each === id));
  }

  private async sides(conflict: OpenConflict) {
    const sets = conflict.sets.flatMap((id) => this.port.store.changes.get(id) ?? []);
    return await sidesOf(conflict, sets, this.foldPort({ sets }).port);
  }

  private foldPort({ sets }: Pick<Aim, 'sets'>): { port: FoldPort; kept: Set<string> } {
    const { load, kept } = loaderOf(this.port.blobs);
    for (const { changes } of sets) {
      for (const { after } of changes) if (after?.isKept === true) kept.add(after.hash);
    }
    const own = new Set<string>(sets.map(({ id }) => id));
    const movedTo = (path: string, seq: number): string | null => this.movedTo(path, seq, own);
    return { port: { load, movedTo, now: (path) => this.look(path) }, kept };
  }

  private look(path: string) {
    return lookAt(this.port.project().files, path);
  }

  /** Follows renames that came after an entry and are none of those being taken back. */
  private movedTo(path: string, seq: number, own: ReadonlySet<string>): string | null {
    const { store, project } = this.port;
    let [at, from] = [path, seq];
    for (let hops = 0; hops < 20; hops += 1) {
      const links = store.changes.chain(project().id, at, from);
      // The first removal that stands took the file away; what was there later is another one.
      const left = links.find(
        ({ set, change }) => change.after === null && set.undoneBy === null && !own.has(set.id),
      );
      const to = left?.set.changes.find(({ movedFrom, after }) => movedFrom === at && after !== null);
      if (left === undefined || to === undefined) break;
      [at, from] = [to.path, left.set.seq];
    }
    return at === path ? null : at;
  }

  turnToUndo(sessionId: string, number: number | null): { turnId: TurnId; number: number } {
    return turnToUndo(this.targets, sessionId as SessionId, number);
  }

  undoToRedo(sessionId: string): ChangeSetId {
    return undoToRedo(this.targets, this.port.log, sessionId as SessionId);
  }

  sessionLog(sessionId: string): { set: ChangeSet; turn: number | null }[] {
    return sessionLog(this.targets, this.port.log, sessionId as SessionId);
  }

  async recover(onError: (error: unknown) => void): Promise<number> {
    return await recoverUndos(this.port, onError);
  }

  /** Runs one piece of work at a time; the session that it belongs to starts no turn meanwhile. */
  private async held<T>(
    sessionId: SessionId | null,
    work: (runtime: SessionRuntime | null) => Promise<T>,
  ): Promise<T> {
    const before = this.last;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.last = promise;
    await before;
    try {
      if (sessionId === null || this.port.store.sessions.get(sessionId) === null) return await work(null);
      this.refuseBusyChildren(sessionId);
      return await this.port.between(sessionId, work);
    } finally {
      resolve();
    }
  }

  private refuseBusyChildren(sessionId: SessionId): void {
    const children = this.port.store.sessions.list({
      projectId: null,
      children: { of: sessionId },
      limit: 1000,
    });
    for (const { id } of children) {
      if (this.port.isRunning(id)) {
        throw new AppError('busy', 'A subagent of this session is still working.', {
          hint: 'Stop it first.',
        });
      }
      this.refuseBusyChildren(id);
    }
  }
}

const NOTHING: UndoResult = { setId: null, files: [], conflicts: [], cannot: [] };

const factsOf = ({ cause, turnId, callId, label, sets: [set] }: Aim) => ({
  ...{ setId: null, cause, targetTurnId: turnId, targetCallId: callId, label },
  // The undo that is taken back, so that its row can say so.
  ...(cause === 'redo' && set ? { redoes: set.id } : {}),
});

const stepsFor = ({ sets, path }: Pick<Aim, 'sets' | 'path'>) =>
  path === null ? stepsOf(sets) : stepsAbout(stepsOf(sets), path);

/** Where one file of a call was meant, an entry with others is still there. */
function doneOf(aim: Aim, { done }: UndoPlan): ChangeSet[] {
  const paths = new Set(stepsFor(aim).flatMap(pathsOf));
  return done.filter(({ changes }) => changes.every(({ path }) => paths.has(path)));
}

const listed = (files: readonly UndoneFile[]): Pick<UndoFacts, 'files' | 'more'> => ({
  files: files.slice(0, MAX_LISTED),
  more: Math.max(0, files.length - MAX_LISTED),
});

const nothingToUndo = ({ label }: Aim): AppError =>
  new AppError('not_found', `There is nothing to take back of ${label}.`, {
    hint: 'It changed no files, or it was taken back already.',
  });
