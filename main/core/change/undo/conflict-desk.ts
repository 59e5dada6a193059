import { AppError } from '../../../../shared/error';
import type { ConflictView, UndoneFile, UndoResult } from '../../../../shared/model/change';
import { WorkspacePath } from '../../../../shared/model/ids';
import type { UndoFacts } from '../../../../shared/model/turn-event';
import type { SessionRuntime } from '../../session/session-runtime';
import { ConflictList, type OpenConflict } from './conflict-list';
import { sidesOf, viewOf } from './conflict-sides';
import { foldSource } from './fold-source';
import { lookAt } from './look';
import type { Transition } from './plan';
import { resolution } from './resolution';
import type { SessionHold } from './session-hold';
import type { UndoPort } from './undo-port';
import { writeUndo } from './undo-writer';
import { entryLabel, listed } from './words';

/** Shows, settles and drops the conflicts that undos left. */
export class ConflictDesk {
  private readonly list: ConflictList;

  constructor(
    private readonly port: UndoPort,
    private readonly hold: SessionHold,
  ) {
    this.list = new ConflictList(port.store.state);
  }

  /** @throws AppError `not_found` */
  async view(id: string): Promise<ConflictView> {
    const conflict = this.list.get(this.port.project().id, id);
    return await viewOf(conflict, await this.sides(conflict));
  }

  /** @throws AppError `not_found`, `stale` when the file is not the one that was decided on, `conflict`, `busy` */
  async resolve(id: string, text: string | null, currentHash: string | null): Promise<UndoResult> {
    const conflict = this.list.get(this.port.project().id, id);
    return await this.hold.during(conflict.sessionId, async (runtime) => {
      const sides = await this.sides(conflict);
      if ((sides.current?.hash ?? null) !== currentHash) {
        throw new AppError('stale', `${conflict.path} was changed while you decided.`, {
          hint: 'Look at it again, then decide.',
        });
      }
      const { files } = this.port.project();
      const transitions = await resolution(conflict, sides, text, (path) => lookAt(files, path));
      return await this.write(conflict, transitions, runtime);
    });
  }

  drop(id: string): void {
    this.list.remove(this.port.project().id, (open) => open.id === id);
    this.port.log.tell([]);
  }

  private async write(
    conflict: OpenConflict,
    transitions: Transition[],
    runtime: SessionRuntime | null,
  ): Promise<UndoResult> {
    const project = this.port.project();
    const others = this.list.all(project.id).filter(({ id }) => id !== conflict.id);
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
    this.list.remove(project.id, ({ id }) => id === conflict.id);
    return { setId: entry?.id ?? null, files, conflicts: [], cannot: [] };
  }

  /** No other conflict is about this entry, and nothing took it back yet. */
  private isSettled(id: string, others: readonly OpenConflict[]): boolean {
    const set = this.port.store.changes.get(id);
    return set?.undoneBy === null && !others.some(({ sets }) => sets.some((each) => each === id));
  }

  private async sides(conflict: OpenConflict) {
    const sets = conflict.sets.flatMap((id) => this.port.store.changes.get(id) ?? []);
    return await sidesOf(conflict, sets, foldSource(this.port, sets).port);
  }
}
