import type { ChangeAuthor, TurnRef } from '../../../../shared/model/change';
import type { SessionId, TurnId } from '../../../../shared/model/ids';
import type { Store } from '../../store/types';

/** Characters of a request's first line that are shown. */
const MAX_REQUEST_CHARS = 120;

/** The turn that an entry belongs to; null for people and other programs. */
export const turnOf = (author: ChangeAuthor): { sessionId: SessionId; turnId: TurnId } | null =>
  author.kind === 'agent' || author.kind === 'command'
    ? { sessionId: author.sessionId, turnId: author.turnId }
    : null;

function firstLine(text: string): string {
  const line = text.trimStart().split('\n', 1)[0]?.trimEnd() ?? '';
  return line.length > MAX_REQUEST_CHARS ? `${line.slice(0, MAX_REQUEST_CHARS - 1).toWellFormed()}…` : line;
}

/** Turns as people know them. Made for one answer: titles are read once. */
export class TurnRefs {
  private readonly known = new Map<string, TurnRef | null>();

  constructor(private readonly store: Pick<Store, 'sessions' | 'windows'>) {}

  /** Null when the session or the turn is gone. */
  of(author: ChangeAuthor): TurnRef | null {
    const turn = turnOf(author);
    return turn && this.turn(turn.sessionId, turn.turnId);
  }

  /** As `of`. */
  turn(sessionId: SessionId, turnId: TurnId): TurnRef | null {
    const key = `${sessionId} ${turnId}`;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const ref = this.read(sessionId, turnId);
    this.known.set(key, ref);
    return ref;
  }

  private read(sessionId: SessionId, turnId: TurnId): TurnRef | null {
    const session = this.store.sessions.get(sessionId);
    const turn = this.store.windows.turn(sessionId, turnId);
    if (!session || !turn) return null;
    const { number, at, text } = turn;
    return { sessionId, sessionTitle: session.title, turnId, number, request: firstLine(text), at };
  }
}
