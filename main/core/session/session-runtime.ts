import type { SessionId } from '../../../shared/model/ids';
import { reduceSession } from '../../../shared/model/reduce-session';
import { emptySessionView, type SessionView } from '../../../shared/model/session-view';
import type { TodoItem } from '../../../shared/model/todo';
import type { TurnEvent } from '../../../shared/model/turn-event';
import { InTurnCompaction } from '../context/in-turn-compaction';
import type { ModelMessage } from '../model/port';
import type { Store } from '../store/types';
import type { ReadLedger, TodoPort } from '../tool/types';
import { EventLog } from './event-log';
import { SessionHistory } from './session-history';
import type { SessionRecorder } from './session-recorder';

/** How many events are read at once when a view is rebuilt. */
const REBUILD_BATCH = 2_000;

class Ledger implements ReadLedger {
  private readonly hashes = new Map<string, string>();
  seen(path: string): string | undefined {
    return this.hashes.get(path);
  }
  note(path: string, hash: string): void {
    this.hashes.set(path, hash);
  }
}

/** The newest stored view brought up to date with the events after it. */
export function loadView(id: SessionId, store: Store): SessionView {
  let view = store.events.loadView(id) ?? emptySessionView();
  for (;;) {
    const { events } = store.events.after(id, view.seq, REBUILD_BATCH);
    if (events.length === 0) return view;
    for (const event of events) view = reduceSession(view, event);
  }
}

/**
 * What one session keeps in memory while it is in use: view, history for the model, what was read, what was shrunk. All
 * of it can be rebuilt from the store.
 */
export class SessionRuntime {
  readonly log: EventLog;
  readonly history: SessionHistory;
  readonly ledger: ReadLedger = new Ledger();
  readonly compaction = new InTurnCompaction();
  readonly prefixes = new Map<string, Promise<ModelMessage[]>>();
  private currentView: SessionView;
  private followers = 0;

  constructor(
    readonly id: SessionId,
    private readonly store: Store,
    newId: () => string,
    onFlushError: (error: unknown) => void,
    readonly recorder?: SessionRecorder,
  ) {
    this.currentView = loadView(id, store);
    const given = recorder ? () => recorder.id(newId()) : newId;
    this.history = SessionHistory.load(id, store.events, given);
    this.log = new EventLog(id, store.events, onFlushError, recorder);
    this.log.listen((events) => {
      for (const event of events) this.currentView = reduceSession(this.currentView, event);
    });
  }

  get view(): SessionView {
    return this.currentView;
  }

  /** The todo list as the event log has it (M6); a change is an event. */
  todos(turnId: string): TodoPort {
    return {
      read: (): TodoItem[] => this.currentView.todos,
      replace: (items) => {
        this.log.append(turnId, [{ type: 'todo.changed', items }]);
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
    const before = this.currentView.seq;
    for (;;) {
      const { events } = this.store.events.after(this.id, this.currentView.seq, REBUILD_BATCH);
      if (events.length === 0) break;
      this.log.publish(events);
    }
    if (this.currentView.seq === before) return;
    this.history.catchUp(this.store.events, this.id);
    this.recorder?.reboot();
  }

  saveView(): void {
    this.store.events.saveView(this.id, this.currentView);
  }
}
