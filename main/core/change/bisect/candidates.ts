import type { ChangeSet, TurnRef } from '../../../../shared/model/change';
import type { SessionId, TurnId } from '../../../../shared/model/ids';
import type { Store } from '../../store/types';
import { turnFamily } from '../review/turn-filter';
import { turnOf, type TurnRefs } from '../trace/turn-refs';

/** Newest entries of a project that are looked through. */
const MOST = 20_000;

/** Entries of one turn that follow each other, the oldest first. */
export interface TurnGroup {
  sets: ChangeSet[];
  turn: TurnRef | null;
}

/**
 * What agents and their commands changed and what is still there, in order, by turn; a subagent's entries belong to the
 * turn that started it.
 *
 * @param sessionId null: all sessions
 */
export function candidates(
  store: Pick<Store, 'changes' | 'sessions' | 'windows'>,
  projectId: string,
  sessionId: SessionId | null,
  refs: TurnRefs,
): TurnGroup[] {
  const groups: (TurnGroup & { key: string })[] = [];
  for (const set of store.changes.list(projectId, { limit: MOST }).reverse()) {
    const turn = turnOf(set.author);
    if (turn === null || set.undoneBy !== null || set.changes.length === 0) continue;
    const family = turnFamily(turn, store);
    if (sessionId !== null && !family.some((each) => each.sessionId === sessionId)) continue;
    const root = family.at(-1) ?? turn;
    const key = `${root.sessionId} ${root.turnId}`;
    const last = groups.at(-1);
    if (last?.key === key) last.sets.push(set);
    else {
      const found = refs.turn(root.sessionId as SessionId, root.turnId as TurnId);
      groups.push({ sets: [set], turn: found, key });
    }
  }
  return groups;
}

/** "turn 3", or what else there is to say of it. */
export const turnName = ({ turn }: TurnGroup): string =>
  turn === null ? 'a turn of a session that is gone' : `turn ${turn.number}`;
