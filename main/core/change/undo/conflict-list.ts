import { z } from 'zod';
import { AppError } from '../../../../shared/error';
import { ChangeSetId, ConflictId } from '../../../../shared/model/change';
import { SessionId, WorkspacePath } from '../../../../shared/model/ids';
import type { StateStore } from '../../store/types';

/** A file that an undo left alone, and which entries were to be taken back there. */
export const OpenConflict = z.object({
  id: ConflictId,
  path: WorkspacePath,
  /** The path that the entries know it by. */
  about: z.string(),
  /** Newest first. */
  sets: z.array(ChangeSetId),
  sessionId: SessionId.nullable(),
  label: z.string(),
});
export type OpenConflict = z.infer<typeof OpenConflict>;

const SCOPE = 'undo.conflicts';
/** The oldest ones make room: a value of the state store has a limit, and nobody works through more. */
const MAX_OPEN = 300;
/** Entries that one conflict names. */
const MAX_SETS = 500;
const List = z.array(OpenConflict).catch([]);

/** The conflicts of a project that are neither resolved nor dropped; they outlive a restart. */
export class ConflictList {
  constructor(private readonly state: StateStore) {}

  all(projectId: string): OpenConflict[] {
    return List.parse(this.state.get(SCOPE, projectId) ?? []);
  }

  /** @throws AppError `not_found` */
  get(projectId: string, id: string): OpenConflict {
    const found = this.all(projectId).find((each) => each.id === id);
    if (found) return found;
    throw new AppError('not_found', 'This conflict is settled already.', {
      hint: 'It was resolved or dropped, in another window perhaps.',
    });
  }

  /** A conflict of the same file takes the place of an earlier one. */
  add(projectId: string, conflicts: readonly OpenConflict[]): void {
    const paths = new Set<string>(conflicts.map(({ path }) => path));
    const others = this.all(projectId).filter(({ path }) => !paths.has(path));
    const cut = conflicts.map((each) => ({ ...each, sets: each.sets.slice(0, MAX_SETS) }));
    this.state.set(SCOPE, projectId, [...others, ...cut].slice(-MAX_OPEN));
  }

  remove(projectId: string, isGone: (conflict: OpenConflict) => boolean): void {
    const all = this.all(projectId);
    const left = all.filter((conflict) => !isGone(conflict));
    if (left.length < all.length) this.state.set(SCOPE, projectId, left.length === 0 ? null : left);
  }
}
