import { AppError } from '../../../../shared/error';
import type { UndoTarget } from '../../../../shared/contract/changes';
import type { ChangeSet, ChangeSetId } from '../../../../shared/model/change';
import type { CallId, SessionId, TurnId } from '../../../../shared/model/ids';
import type { Store } from '../../store/types';

/** Entries that are to be taken back, newest first, and how people call them. */
export interface Aim {
  sets: ChangeSet[];
  /** Only this file of them; null: all. */
  path: string | null;
  /** The user's own session that they belong to; null: people, other programs, or a session that is gone. */
  sessionId: SessionId | null;
  turnId: TurnId | null;
  callId: CallId | null;
  label: string;
  cause: 'undo' | 'redo' | 'restore';
  /** Of a redo: the entry of the undo. */
  redoes?: ChangeSetId;
}

type Stores = Pick<Store, 'changes' | 'sessions' | 'windows' | 'branches'>;

const ALL = 1_000_000;
const MAX_ASKED = 20;

/** Finds the entries that an undo is about. Those that are taken back already are left out. */
export class Targets {
  constructor(
    private readonly store: Stores,
    private readonly projectId: () => string,
  ) {}

  /** @throws AppError `not_found` for an entry or session that is not there */
  aim(target: UndoTarget): Aim {
    switch (target.kind) {
      case 'turn':
        return this.turn(target.sessionId, target.turnId);
      case 'call':
        return this.call(target);
      case 'set':
        return this.set(target.setId);
    }
  }

  /** Everything that a session did since right before a turn, its subagents included. */
  since(sessionId: SessionId, turnId: TurnId): Aim {
    const start = this.startOf(sessionId, turnId);
    const turns = start === null ? [] : this.store.branches.turnsFrom(sessionId, start);
    const from = this.store.windows.turn(sessionId, turnId)?.at ?? null;
    const label = `everything since ${this.turnLabel(sessionId, turnId)}`;
    return {
      ...this.turns(sessionId, new Set(turns.map((each) => each.turnId)), from),
      turnId,
      label,
      cause: 'restore',
    };
  }

  /** The number of a turn with a `turn.started` that no rewind voided, as people count; in order. */
  numbered(sessionId: SessionId): { turnId: TurnId; number: number }[] {
    const begun = this.store.branches.turnsFrom(sessionId, 0);
    let number = 0;
    return begun
      .filter(({ isVoided }) => !isVoided)
      .flatMap(({ turnId, kind }) => {
        if (kind === 'message' || number === 0) number += 1;
        return [{ turnId: turnId as TurnId, number }];
      });
  }

  /** The user's own session that an entry belongs to. */
  sessionOf(set: ChangeSet, depth = 0): SessionId | null {
    const { author } = set;
    if (author.kind === 'agent' || author.kind === 'command') return this.rootOf(author.sessionId);
    if (author.kind !== 'undo' || depth > 20) return null;
    for (const id of author.undoes) {
      const undone = this.store.changes.get(id);
      const session = undone && this.sessionOf(undone, depth + 1);
      if (session) return session;
    }
    return null;
  }

  private turn(sessionId: SessionId, turnId: TurnId): Aim {
    // What a retry or "go on" did belongs to the message that the person sees as the turn.
    const start = this.startOf(sessionId, turnId);
    const [first, ...rest] = start === null ? [] : this.store.branches.turnsFrom(sessionId, start);
    const next = rest.findIndex(({ kind }) => kind === 'message');
    const going = first?.kind === 'message' ? rest.slice(0, next === -1 ? rest.length : next) : [];
    const turns = new Set<string>([turnId, ...going.map((each) => each.turnId)]);
    return {
      ...this.turns(sessionId, turns),
      turnId,
      label: this.turnLabel(sessionId, turnId),
      cause: 'undo',
    };
  }

  private turns(
    sessionId: SessionId,
    turns: ReadonlySet<string>,
    from: number | null = null,
  ): Omit<Aim, 'turnId' | 'label' | 'cause'> {
    const own = this.ofTurns(sessionId, turns);
    const children = this.childrenOf(sessionId).filter(({ parentCallId, createdAt }) => {
      const owner = parentCallId && this.store.windows.callOwner(sessionId, parentCallId);
      // A call that a rewind took back has no owner any more.
      return owner ? turns.has(owner.turnId) : from !== null && createdAt >= from;
    });
    const theirs = children.flatMap(({ id }) => this.ofFamily(id));
    const sets = [...own, ...theirs].filter(({ undoneBy }) => undoneBy === null);
    return {
      sets: sets.sort((a, b) => b.seq - a.seq),
      path: null,
      sessionId: this.rootOf(sessionId),
      callId: null,
    };
  }

  private call({ sessionId, callId, path }: Extract<UndoTarget, { kind: 'call' }>): Aim {
    const own = this.list({ sessionId, callId });
    const children = this.childrenOf(sessionId).filter(({ parentCallId }) => parentCallId === callId);
    const sets = [...own, ...children.flatMap(({ id }) => this.ofFamily(id))]
      .filter(({ undoneBy }) => undoneBy === null)
      .sort((a, b) => b.seq - a.seq);
    const [set] = own;
    const label = path === undefined ? callLabel(set, own.length) : `the change of \`${path}\``;
    const turnId = set && 'turnId' in set.author ? set.author.turnId : null;
    return {
      sets,
      path: path ?? null,
      sessionId: this.rootOf(sessionId),
      turnId,
      callId,
      label,
      cause: 'undo',
    };
  }

  private set(setId: string): Aim {
    const set = this.store.changes.get(setId);
    if (!set) {
      throw new AppError('not_found', 'There is no such entry in the change log.', {
        hint: 'It may belong to another project, or it is too old.',
      });
    }
    const { author } = set;
    const isUndo = author.kind === 'undo' && author.cause !== 'redo';
    const { turnId, callId } = 'turnId' in author ? author : { turnId: null, callId: null };
    return {
      ...{
        sets: set.undoneBy === null ? [set] : [],
        path: null,
        sessionId: this.sessionOf(set),
        turnId,
        callId,
      },
      label: author.kind === 'undo' ? withoutVerb(set.label) : callLabel(set, 1),
      ...(isUndo ? { cause: 'redo', redoes: set.id } : { cause: 'undo' }),
    };
  }

  /** A few turns are asked for one by one: a long session has thousands of entries. */
  private ofTurns(sessionId: SessionId, turns: ReadonlySet<string>): ChangeSet[] {
    if (turns.size <= MAX_ASKED) return [...turns].flatMap((turnId) => this.list({ sessionId, turnId }));
    return this.list({ sessionId }).filter(({ author }) => 'turnId' in author && turns.has(author.turnId));
  }

  private list(filter: { sessionId?: string; turnId?: string; callId?: string }): ChangeSet[] {
    return this.store.changes.list(this.projectId(), { ...filter, limit: ALL });
  }

  private childrenOf(id: SessionId) {
    return this.store.sessions.list({ projectId: null, children: { of: id }, limit: ALL });
  }

  private ofFamily(id: SessionId): ChangeSet[] {
    return [
      ...this.list({ sessionId: id }),
      ...this.childrenOf(id).flatMap((child) => this.ofFamily(child.id)),
    ];
  }

  private rootOf(id: SessionId): SessionId | null {
    const session = this.store.sessions.get(id);
    if (session === null) return null;
    return session.parentId === null ? id : (this.rootOf(session.parentId) ?? id);
  }

  private startOf(sessionId: SessionId, turnId: TurnId): number | null {
    const begun = this.store.branches.turnsFrom(sessionId, 0);
    return begun.find((each) => each.turnId === turnId)?.seq ?? null;
  }

  private turnLabel(sessionId: SessionId, turnId: TurnId): string {
    const turn = this.store.windows.turn(sessionId, turnId);
    return turn === null ? 'a turn' : `turn ${turn.number}`;
  }
}

/** What an entry of an undo is about: "turn 3" of "Undid turn 3". */
const withoutVerb = (label: string): string =>
  label.replace(/^(Undid|Redid|Took back|Rejected|Resolved a conflict of) /, '');

function callLabel(set: ChangeSet | undefined, sets: number): string {
  if (set === undefined) return 'the call';
  const { author, changes } = set;
  if (author.kind === 'command')
    return `the command \`${author.command.split('\n', 1)[0]?.slice(0, 80) ?? ''}\``;
  if (author.kind === 'user') return 'your own change';
  if (author.kind === 'outside') return 'a change from outside';
  const [only] = changes;
  const isOne = sets === 1 && only !== undefined && changes.every(({ path }) => path === only.path);
  return isOne ? `the edit of \`${only.path}\`` : `the edit of ${changes.length} files`;
}
