import type { SessionId, TurnId } from '../../../shared/model/ids';
import type { SessionView } from '../../../shared/model/session-view';
import type { TurnEventPayload } from '../../../shared/model/turn-event';
import { closeCall, openCalls, resultMessage } from '../session/recovery';
import { SessionWindow } from '../session/session-window';
import type { ArchivedEvent, ArchivedMessage, ArchiveStores, NewArchive } from '../store/archive-store';

/** Rows, or characters, of one transaction: short enough that nobody waits for the write lock. */
const BATCH_ROWS = 300;
const BATCH_CHARS = 1_500_000;

const nextTick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Rough size of a row, without writing it out twice. */
function weight(row: ArchivedEvent | ArchivedMessage): number {
  const value = 'payload' in row ? row.payload : row.message;
  let chars = 100;
  for (const field of Object.values(value)) chars += typeof field === 'string' ? field.length : 200;
  return chars;
}

class Batch<T extends ArchivedEvent | ArchivedMessage> {
  count = 0;
  private rows: T[] = [];
  private chars = 0;

  constructor(private readonly write: (first: number, rows: readonly T[]) => void) {}

  async add(row: T): Promise<void> {
    this.rows.push(row);
    this.chars += weight(row);
    if (this.rows.length < BATCH_ROWS && this.chars < BATCH_CHARS) return;
    this.flush();
    await nextTick();
  }

  flush(): void {
    if (this.rows.length === 0) return;
    this.write(this.count + 1, this.rows);
    this.count += this.rows.length;
    [this.rows, this.chars] = [[], 0];
  }
}

/** Writes a session that comes from outside into the store, piece by piece; it is shown once it is whole. */
export class BringIn {
  private readonly events: Batch<ArchivedEvent>;
  private readonly messages: Batch<ArchivedMessage>;

  constructor(
    private readonly stores: ArchiveStores,
    private readonly session: NewArchive,
  ) {
    const { id } = session;
    this.events = new Batch((first, rows) => stores.archive.addEvents(id, first, rows));
    this.messages = new Batch((first, rows) => stores.archive.addMessages(id, first, rows));
    stores.archive.begin(session);
  }

  event(row: ArchivedEvent): Promise<void> {
    return this.events.add(row);
  }

  message(row: ArchivedMessage): Promise<void> {
    return this.messages.add(row);
  }

  get counts(): { events: number; messages: number } {
    return { events: this.events.count, messages: this.messages.count };
  }

  /** Closes what is open, keeps the view so that the session opens at once, and shows it. */
  finish(note: TurnEventPayload | null, newId: () => string): void {
    this.events.flush();
    this.messages.flush();
    const { stores, session } = this;
    const id = session.id as SessionId;
    const window = new SessionWindow(id, stores);
    const { payloads, messages, turnId } = closing(window.view, newId);
    if (note) payloads.push(note);
    if (payloads.length > 0)
      window.add(stores.events.append(id, turnId, payloads, messages, { at: session.updatedAt }));
    window.save();
    stores.archive.finish(session);
  }

  /** Nothing of it stays. */
  discard(): void {
    this.stores.sessions.remove(this.session.id);
  }
}

/** A turn that never ended ends here; a question that waits for an answer gets none. */
function closing(view: SessionView, newId: () => string) {
  const turnId = view.live?.turnId ?? (newId() as TurnId);
  const calls = view.live ? openCalls(view, turnId) : [];
  const payloads: TurnEventPayload[] = [
    ...view.approvals.map(({ id, callId }): TurnEventPayload => ({
      type: 'approval.replied',
      approvalId: id,
      callId,
      answer: 'deny',
      by: 'stop',
    })),
    ...view.questions.map(({ questionId, callId }): TurnEventPayload => ({
      type: 'question.answered',
      questionId,
      callId,
      answer: null,
    })),
    ...calls.map(closeCall),
  ];
  if (view.live) {
    const { step } = view.live;
    payloads.push({ type: 'turn.finished', reason: 'stopped', steps: step, text: '', durationMs: 0 });
  }
  return { turnId, payloads, messages: calls.map((call) => ({ id: newId(), message: resultMessage(call) })) };
}
