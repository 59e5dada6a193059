import type { SessionId } from '../../../shared/model/ids';
import type { Plan } from '../../../shared/model/plan';
import type { SessionView, StepView } from '../../../shared/model/session-view';
import type { TodoItem } from '../../../shared/model/todo';
import type { TurnEvent } from '../../../shared/model/turn-event';
import { ContextState } from '../context/context-state';
import type { Store } from '../store/types';
import type { PlanPort, ReadLedger, TodoPort } from '../tool/types';
import type { PromptPrefix } from '../turn/prompt/build-prompt';
import { EventLog } from './event-log';
import { SessionHistory } from './session-history';
import type { SessionRecorder } from './session-recorder';
import { SessionWindow } from './session-window';

/** How many events are read at once when another process wrote some. */
const REBUILD_BATCH = 2_000;
/** Messages that no item shows (corrections, results) lie close to one that an item does show. */
const NEAR_MESSAGES = 8;

class Ledger implements ReadLedger {
  private readonly hashes = new Map<string, string>();
  seen(path: string): string | undefined {
    return this.hashes.get(path);
  }
  note(path: string, hash: string): void {
    this.hashes.set(path, hash);
  }
  clear(): void {
    this.hashes.clear();
  }
}

/** The newest stored view brought up to date with the events after it. */
export const loadView = (id: SessionId, store: Pick<Store, 'events' | 'windows'>): SessionView =>
  new SessionWindow(id, store).view;

/**
 * What one session keeps in memory while it is in use: view, history for the model, what was read, what was shrunk. All
 * of it can be rebuilt from the store.
 */
export class SessionRuntime {
  readonly log: EventLog;
  readonly history: SessionHistory;
  private readonly reads = new Ledger();
  readonly compaction = new ContextState();
  readonly prefixes = new Map<string, Promise<PromptPrefix>>();
  private readonly window: SessionWindow;
  private followers = 0;

  constructor(
    readonly id: SessionId,
    private readonly store: Store,
    newId: () => string,
    onFlushError: (error: unknown) => void,
    readonly recorder?: SessionRecorder,
  ) {
    this.window = new SessionWindow(id, store);
    const given = recorder ? () => recorder.id(newId()) : newId;
    this.history = SessionHistory.load(id, store.events, given);
    this.log = new EventLog(id, store.events, onFlushError, recorder);
    this.log.listen((events) => {
      this.window.add(events);
      if (events.some((event) => event.type === 'session.rewound')) this.forget();
    });
    if (this.window.costly) this.keepView(onFlushError);
  }

  /** The newest items and everything else there is to show; older items come from {@link older}. */
  get view(): SessionView {
    return this.window.view;
  }

  /** What the agent has read in this session, so that it edits nothing it has not seen. */
  get ledger(): ReadLedger {
    return this.reads;
  }

  /** As {@link SessionWindow.older}. */
  older(before: number, limit: number): SessionView {
    return this.window.older(before, limit);
  }

  /** The view with the item that holds a call, also when that item is an older one. */
  viewWithCall(callId: string): SessionView {
    const holds = ({ calls }: StepView): boolean => calls.some((call) => call.callId === callId);
    if (this.view.items.some((item) => item.kind === 'step' && holds(item))) return this.view;
    const owner = this.store.windows.callOwner(this.id, callId);
    const start = owner && this.store.branches.turnStart(this.id, owner.turnId);
    const index = start && this.window.indexOf(owner.id, start.seq);
    return index === null ? this.view : this.older(index + 1, 1);
  }

  /** The number of the item that shows a message of a turn that began with this event; null when none does. */
  indexOf(messageId: string, turnStart: number): number | null {
    return this.window.indexOf(messageId, turnStart);
  }

  /** The number of the item that shows the message at a position of the history, or the one it belongs to; null: none. */
  indexAt(position: number): number | null {
    for (const { id, turnId } of this.store.windows.spokenBefore(this.id, position, NEAR_MESSAGES)) {
      const start = this.store.branches.turnStart(this.id, turnId);
      const index = start && this.window.indexOf(id, start.seq);
      if (index !== null) return index;
    }
    return null;
  }

  /** The todo list as the event log has it (M6); a change is an event. */
  todos(turnId: string): TodoPort {
    return {
      read: (): TodoItem[] => this.view.todos,
      replace: (items) => {
        this.log.append(turnId, [{ type: 'todo.changed', items }]);
        return Promise.resolve();
      },
    };
  }

  /** The session's plans as the event log has them; a change is an event. */
  plans(turnId: string): PlanPort {
    return {
      read: (): Plan[] => this.view.plans,
      write: (plan) => {
        this.log.append(turnId, [{ type: 'plan.changed', plan }]);
        return Promise.resolve();
      },
    };
  }

  /** True while somebody follows this session: dropping it then would split its listeners from its log. */
  get watched(): boolean {
    return this.followers > 0;
  }

  listen(listener: (events: readonly TurnEvent[]) => void): () => void {
    const stop = this.log.listen(listener);
    this.followers += 1;
    return () => {
      stop();
      this.followers -= 1;
    };
  }

  /**
   * Takes in what another process wrote to this session since. Only while no turn runs here.
   *
   * @throws AppError `disk_full` when events of the last turn still wait to be stored
   */
  catchUp(): void {
    this.log.flush();
    const before = this.view.seq;
    for (;;) {
      const { events } = this.store.events.after(this.id, this.view.seq, REBUILD_BATCH);
      if (events.length === 0) break;
      this.log.publish(events);
    }
    if (this.view.seq === before) return;
    this.history.catchUp((id) => this.store.branches.message(this.id, id)?.position ?? null);
    this.recorder?.reboot();
  }

  /** After a rewind: what was read or known of the part that is gone no longer counts. */
  private forget(): void {
    this.reads.clear();
    this.history.release();
  }

  /** The view can be rebuilt at any time; keeping it only makes the next opening quick. */
  private keepView(onError: (error: unknown) => void): void {
    try {
      this.saveView();
    } catch (error) {
      onError(error);
    }
  }

  /** Lets go of what can be read again while nobody uses this session. */
  rest(): void {
    if (this.view.live === null && !this.watched && !this.log.waiting) this.history.release();
  }

  saveView(): void {
    this.window.save();
  }
}
