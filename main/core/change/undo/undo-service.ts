import { AppError } from '../../../../shared/error';
import type { UndoTarget } from '../../../../shared/contract/changes';
import {
  ChangeSetId,
  ConflictId,
  type ChangeSet,
  type ConflictView,
  type UndoResult,
} from '../../../../shared/model/change';
import { WorkspacePath, type MessageId, type SessionId, type TurnId } from '../../../../shared/model/ids';
import type { UndoFacts } from '../../../../shared/model/turn-event';
import type { SessionRuntime } from '../../session/session-runtime';
import type { UndoService } from '../types';
import { cannotReach } from './cannot';
import { ConflictDesk } from './conflict-desk';
import type { OpenConflict } from './conflict-list';
import { CheckpointFinder } from './checkpoint';
import { foldSource } from './fold-source';
import { planUndo, type UndoPlan } from './plan';
import { recoverUndos } from './recover-undos';
import { SessionHold } from './session-hold';
import { sessionLog, turnToUndo, undoToRedo } from './session-log';
import { pathsOf, stepsAbout, stepsOf } from './steps';
import { Targets, type Aim } from './targets';
import type { UndoPort } from './undo-port';
import { writeUndo } from './undo-writer';
import { entryLabel, listed } from './words';

/** How often a plan is made again when files change under it. */
const ATTEMPTS = 3;

/** Takes changes back around later ones, and undos too. */
export class Undo implements UndoService {
  readonly targets: Targets;
  private readonly hold: SessionHold;
  private readonly conflicts: ConflictDesk;
  private readonly checkpoints: CheckpointFinder;

  constructor(private readonly port: UndoPort) {
    this.targets = new Targets(port.store, () => port.project().id);
    this.hold = new SessionHold(port);
    this.conflicts = new ConflictDesk(port, this.hold);
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
    return await this.conflicts.view(id);
  }

  async resolve(id: string, text: string | null, currentHash: string | null): Promise<UndoResult> {
    return await this.conflicts.resolve(id, text, currentHash);
  }

  dropConflict(id: string): void {
    this.conflicts.drop(id);
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
    await this.hold.during(id, (runtime) => {
      if (runtime) runtime.log.append(this.port.lastTurnOf(runtime), [{ type: 'files.undone', undo }]);
      return Promise.resolve();
    });
  }

  private async previewAim(aim: Aim): Promise<UndoResult> {
    const plan = await planUndo(stepsFor(aim), foldSource(this.port, aim.sets).port);
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
    return await this.hold.during(aim.sessionId, async (runtime) => {
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
    const { port, kept } = foldSource(this.port, aim.sets);
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

const nothingToUndo = ({ label }: Aim): AppError =>
  new AppError('not_found', `There is nothing to take back of ${label}.`, {
    hint: 'It changed no files, or it was taken back already.',
  });
