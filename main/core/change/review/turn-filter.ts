import type { ReviewFilter } from '../../../../shared/contract/changes';
import type { Store } from '../../store/types';
import type { HistoryStep } from '../trace/path-history';
import { turnOf } from '../trace/turn-refs';

/** Subagents of subagents, as deep as they are looked at. */
const MAX_DEPTH = 20;

interface Turn {
  sessionId: string;
  turnId: string;
}

/** Tells which steps belong to a session or turn; what subagents did belongs to the turns that started them as well. */
export class TurnFilter {
  private readonly families = new Map<string, Turn[]>();

  constructor(
    private readonly filter: ReviewFilter,
    private readonly store: Pick<Store, 'sessions' | 'windows'>,
  ) {}

  get isOff(): boolean {
    return this.filter.sessionId === null && this.filter.turnId === null;
  }

  fits(steps: readonly HistoryStep[]): boolean {
    return this.isOff || steps.some((step) => this.fitsOne(step));
  }

  private fitsOne({ set }: HistoryStep): boolean {
    const { sessionId, turnId } = this.filter;
    const turn = turnOf(set.author);
    if (turn === null) return false;
    return this.family(turn).some(
      (each) =>
        (sessionId === null || each.sessionId === sessionId) && (turnId === null || each.turnId === turnId),
    );
  }

  private family(turn: Turn): Turn[] {
    const key = `${turn.sessionId} ${turn.turnId}`;
    const found = this.families.get(key) ?? turnFamily(turn, this.store);
    this.families.set(key, found);
    return found;
  }
}

/** A turn and those above it: the calls that started subagents belong to turns of other sessions. */
export function turnFamily(turn: Turn, store: Pick<Store, 'sessions' | 'windows'>): Turn[] {
  const found = [turn];
  for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
    const session = store.sessions.get(found.at(-1)?.sessionId ?? '');
    if (!session?.parentId || !session.parentCallId) break;
    const owner = store.windows.callOwner(session.parentId, session.parentCallId);
    if (owner === null) break;
    found.push({ sessionId: session.parentId, turnId: owner.turnId });
  }
  return found;
}
