import { AppError } from '../../../shared/error';
import type { MessageId, SessionId, TurnId } from '../../../shared/model/ids';
import type { SessionSummary } from '../../../shared/model/session';
import type { TurnEventPayload } from '../../../shared/model/turn-event';
import type { BranchPoint } from '../store/branch-points';
import type { NewBranch } from '../store/branch-store';
import type { Store } from '../store/types';
import { closeCall, openCalls, resultMessage } from './recovery';
import type { SessionCatalog } from './session-catalog';
import { loadView, type SessionRuntime } from './session-runtime';
import type { WriterLease } from './writer-lease';

export interface SessionBranchesOptions {
  store: Store;
  sessions: SessionCatalog;
  lease: WriterLease;
  isRunning(id: string): boolean;
  newId(): string;
  /** There are messages that the search does not know yet. */
  onCopied(): void;
}

export interface ForkRequest {
  id: SessionId;
  /** Where to fork; null: at the end. */
  messageId: MessageId | null;
  /** Whether the fork ends right before the message or after what answers it. */
  keep: 'before' | 'through';
}

export interface Rewound {
  /** The text of the message that the chat went back to. */
  text: string;
  /** The fork that keeps what was cut off. */
  kept: SessionSummary | null;
}

const nextTick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const unknownMessage = (): AppError =>
  new AppError('not_found', 'This message is not in the session (any more).', {
    hint: 'Open the session again: it may have been changed in another window.',
  });

/** Forks and rewinds of sessions. The event log only ever grows: a rewind voids, it takes nothing out. */
export class SessionBranches {
  constructor(private readonly options: SessionBranchesOptions) {}

  /**
   * Copies a session up to a message into a new one. A turn that is cut through is closed in the copy.
   *
   * @throws AppError `not_found`, `disk_full`
   */
  async fork({ id, messageId, keep }: ForkRequest): Promise<SessionSummary> {
    const { sessions, isRunning } = this.options;
    const summary = sessions.get(id);
    if (isRunning(id)) sessions.runtime(id).log.flush();
    const until = messageId === null ? null : this.forkPoint(id, messageId, keep);
    return this.copy(summary, `${summary.title} (fork)`, until);
  }

  /**
   * Takes the chat back to right before a message that began a turn. Files stay as they are.
   *
   * @param keepFork whether what is cut off stays at hand as a session of its own
   * @throws AppError `busy` (a turn runs), `not_found`, `bad_argument` (not the beginning of a turn), `conflict` (a part
   *   between there and the end can't be read), `disk_full`
   */
  async rewind(
    id: SessionId,
    messageId: MessageId,
    keepFork: boolean,
    suffix = 'before rewind',
  ): Promise<Rewound> {
    const { sessions, lease, isRunning } = this.options;
    const summary = sessions.get(id);
    if (isRunning(id)) {
      throw new AppError('busy', 'This session is still working.', { hint: 'Stop it first.' });
    }
    lease.take(id);
    try {
      const runtime = sessions.runtime(id);
      runtime.catchUp();
      const target = this.rewindPoint(runtime, messageId);
      const kept = keepFork ? await this.copy(summary, `${summary.title} (${suffix})`, null) : null;
      this.cut(runtime, target, kept);
      return { text: target.text, kept };
    } finally {
      lease.release(id);
    }
  }

  private forkPoint(id: SessionId, messageId: MessageId, keep: ForkRequest['keep']): BranchPoint {
    const { branches } = this.options.store;
    const message = branches.message(id, messageId);
    if (!message) throw unknownMessage();
    const { position, turnId } = message;
    const start = branches.turnStart(id, turnId);
    const seq = branches.eventOf(id, turnId, messageId);
    if (seq === null || !start) throw unknownMessage();
    if (seq === start.seq) {
      return keep === 'before' ? start : (branches.nextExchange(id, seq) ?? branches.end(id));
    }
    if (keep === 'before') return { seq, position };
    const next = branches.nextBoundary(id, seq);
    if (!next) return branches.end(id);
    return { seq: next.seq + (next.isTurnEnd ? 1 : 0), position: branches.afterResults(id, position) };
  }

  private rewindPoint(runtime: SessionRuntime, messageId: MessageId) {
    const { branches } = this.options.store;
    const turnId = branches.message(runtime.id, messageId)?.turnId;
    if (turnId === undefined) throw unknownMessage();
    const start = branches.turnStart(runtime.id, turnId);
    if (!start || branches.eventOf(runtime.id, turnId, messageId) !== start.seq) {
      throw new AppError('bad_argument', 'The chat can go back to a message that began a turn only.', {
        hint: 'Fork the session from this message instead.',
      });
    }
    if (!branches.isWhole(runtime.id, start)) {
      throw new AppError(
        'conflict',
        'A part of this session between that message and the end can’t be read, so it is not known what going back would cut off.',
        { hint: 'Fork the session from that message instead; this one then stays as it is.' },
      );
    }
    const items = runtime.indexOf(messageId, start.seq);
    const item = items === null ? undefined : runtime.older(items + 1, 1).items[0];
    if (items === null || item?.kind !== 'user') throw unknownMessage();
    return { ...start, turnId: turnId as TurnId, items, text: item.text };
  }

  private cut(
    runtime: SessionRuntime,
    target: BranchPoint & { turnId: TurnId; items: number },
    kept: SessionSummary | null,
  ): void {
    const { store, sessions } = this.options;
    const rewound: TurnEventPayload = {
      type: 'session.rewound',
      toSeq: target.seq,
      position: target.position,
      items: target.items,
      todos: store.branches.todosBefore(runtime.id, target.seq),
      plans: store.branches.plansBefore(runtime.id, target.seq),
      keptAs: kept?.id ?? null,
    };
    runtime.log.appendWhole(target.turnId, [rewound], []);
    runtime.saveView();
    sessions.update(runtime.id, { activity: 'idle', lastFact: 'went back to an earlier message' });
  }

  /** Copies in short transactions, so that neither this window nor another process waits for a long session. */
  private async copy(
    source: SessionSummary,
    title: string,
    until: BranchPoint | null,
  ): Promise<SessionSummary> {
    const { store, sessions, newId, onCopied } = this.options;
    const branch: NewBranch = {
      id: newId(),
      from: source.id,
      title: title.slice(0, 200),
      titleBy: 'user',
      lastFact: source.lastFact,
    };
    const end = until ?? store.branches.end(source.id);
    const id = branch.id as SessionId;
    store.branches.begin(branch);
    try {
      while (store.branches.copyNext(branch, end)) await nextTick();
      this.closeOpenTurn(id);
      store.branches.reveal(id);
    } catch (error) {
      store.sessions.remove(id);
      throw error;
    }
    const made = sessions.get(id);
    sessions.announce({ kind: 'updated', summary: made });
    onCopied();
    return made;
  }

  private closeOpenTurn(id: SessionId): void {
    const { store, newId } = this.options;
    const view = loadView(id, store);
    if (!view.live) return;
    const { turnId, step } = view.live;
    const calls = openCalls(view, turnId);
    store.events.append(
      id,
      turnId,
      [
        ...calls.map(closeCall),
        { type: 'turn.finished', reason: 'stopped', steps: step, text: '', durationMs: 0 },
      ],
      calls.map((call) => ({ id: newId(), message: resultMessage(call) })),
    );
  }
}
