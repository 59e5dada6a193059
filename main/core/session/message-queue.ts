import { z } from 'zod';
import { AppError } from '../../../shared/error';
import type { SessionId, TurnId } from '../../../shared/model/ids';
import { QueuedMessage, type QueuedId } from '../../../shared/model/queued-message';
import type { TurnEndReason } from '../../../shared/model/turn-event';
import type { GivenImage } from '../../../shared/image/image-facts';
import { saidWithImages } from '../image/take-images';
import type { StateStore } from '../store/types';
import type { QueuedImages } from './queued-images';
import type { StartTurn } from './turn-service';

const SCOPE = 'queue';
const MAX_MESSAGES = 20;
/** Of all messages of a session together; below what the store takes as one value. */
const MAX_BYTES = 200 * 1024;
/** After these the session goes on by itself; otherwise somebody wanted it to stand still, or it could not go on. */
const GOES_ON: ReadonlySet<TurnEndReason> = new Set(['done', 'step_limit', 'repeated_calls']);

const Stored = z.array(QueuedMessage).catch([]);

export interface MessageQueueOptions {
  state: StateStore;
  images: QueuedImages;
  newId(): string;
  isRunning(sessionId: SessionId): boolean;
  /** @throws AppError `busy` when another process writes the session */
  refuseOther(sessionId: SessionId): void;
  facts(sessionId: SessionId, mentions: readonly string[]): Promise<StartTurn['facts']>;
  start(request: StartTurn): { turnId: TurnId };
  onError(error: unknown): void;
}

export interface PutMessage {
  sessionId: SessionId;
  /** Takes the place of this one, which keeps its turn. */
  id?: QueuedId | undefined;
  text: string;
  mentions: readonly string[];
  images?: readonly GivenImage[];
}

type Listener = (sessionId: SessionId, messages: readonly QueuedMessage[]) => void;

/**
 * What users want to say once the running turn has ended, per session and in order. Kept in the store, so that it is there
 * after a restart; sent by itself when a turn ends well, held when it was stopped or failed.
 */
export class MessageQueue {
  private readonly listeners = new Set<Listener>();
  /** Sent, but the store could not be told: they must not be sent again. */
  private readonly sent = new Set<string>();

  constructor(private readonly options: MessageQueueOptions) {}

  list(sessionId: SessionId): QueuedMessage[] {
    const stored = Stored.parse(this.options.state.get(SCOPE, sessionId) ?? []);
    return stored.filter(({ id }) => !this.sent.has(id));
  }

  /**
   * @throws AppError `bad_argument` when no turn runs that a new message could wait for, or the queue is full; `not_found`
   *   when the one to replace was sent or removed; `busy` when another process writes the session; `file_too_large` as a turn
   */
  put({ sessionId, id, text: words, mentions, images: given = [] }: PutMessage): QueuedMessage {
    this.options.refuseOther(sessionId);
    const known = this.list(sessionId);
    const old = known.find((message) => message.id === id);
    if (id !== undefined && !old) throw gone();
    if (!old && !this.options.isRunning(sessionId)) {
      throw new AppError('bad_argument', 'No turn is running in this session.', {
        hint: 'Send it as a message.',
      });
    }
    const { text, parts, facts } = saidWithImages(words, given);
    const images = facts.images ?? old?.images;
    if (text === '' && images === undefined) throw nothingSaid();
    const message = QueuedMessage.parse({
      id: old?.id ?? this.options.newId(),
      at: old?.at ?? Date.now(),
      ...{ text, mentions, images },
    });
    const next = old ? known.map((each) => (each === old ? message : each)) : [...known, message];
    refuseTooMuch(next);
    const sound = parts.images?.map((part, at) => ({ ...part, name: facts.images?.[at]?.name }));
    if (sound) this.options.images.keep(message.id, sound);
    this.write(sessionId, next);
    return message;
  }

  /** Takes a message out and gives it back. @throws AppError `not_found`, `busy` */
  remove(sessionId: SessionId, id: QueuedId): QueuedMessage {
    this.options.refuseOther(sessionId);
    const known = this.list(sessionId);
    const found = known.find((message) => message.id === id);
    if (!found) throw gone();
    this.write(
      sessionId,
      known.filter((message) => message !== found),
    );
    this.options.images.drop(id);
    return found;
  }

  /** Starts a turn with the oldest message. @throws AppError `not_found` when nothing waits, and those of `start` */
  async sendNext(sessionId: SessionId): Promise<{ turnId: TurnId }> {
    const facts = await this.options.facts(sessionId, this.head(sessionId).mentions);
    // Read again: it may have been changed or taken out meanwhile.
    const { id, text, mentions, images: shown = [] } = this.head(sessionId);
    const images = shown.length === 0 ? [] : (this.options.images.load(id) ?? []);
    const lost = images.length === 0 && shown.length > 0 ? LOST : [];
    const started = this.options.start({
      ...{ sessionId, text: [text, ...lost].join('\n'), mentions, images },
      ...(facts && { facts }),
    });
    this.sent.add(id);
    try {
      this.write(sessionId, this.list(sessionId));
      this.sent.delete(id);
      this.options.images.drop(id);
    } catch (error) {
      this.options.onError(error);
    }
    return started;
  }

  turnEnded(sessionId: SessionId, reason: TurnEndReason): void {
    if (!GOES_ON.has(reason) || this.list(sessionId).length === 0) return;
    this.sendNext(sessionId).catch((error: unknown) => {
      // Somebody was quicker: the queue goes on after that turn.
      const busy = error instanceof AppError && (error.code === 'busy' || error.code === 'not_found');
      if (!busy) this.options.onError(error);
    });
  }

  /** The session is gone. */
  forget(sessionId: SessionId): void {
    for (const { id } of this.list(sessionId)) this.options.images.drop(id);
    this.options.state.set(SCOPE, sessionId, null);
  }

  onChange(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private head(sessionId: SessionId): QueuedMessage {
    const [first] = this.list(sessionId);
    if (!first) throw gone();
    return first;
  }

  private write(sessionId: SessionId, messages: readonly QueuedMessage[]): void {
    this.options.state.set(SCOPE, sessionId, messages.length === 0 ? null : messages);
    for (const listener of this.listeners) listener(sessionId, messages);
  }
}

const LOST = ['(The images of this message are not there any more.)'];

const nothingSaid = (): AppError => new AppError('bad_argument', 'A message needs text or an image.');

const gone = (): AppError =>
  new AppError('not_found', 'This message does not wait any more: it was sent or taken out.');

function refuseTooMuch(messages: readonly QueuedMessage[]): void {
  const bytes = Buffer.byteLength(JSON.stringify(messages));
  if (messages.length <= MAX_MESSAGES && bytes <= MAX_BYTES) return;
  throw new AppError('bad_argument', 'Too much waits in this session already.', {
    hint: `At most ${MAX_MESSAGES} messages with 200 KB of text can wait. Send it once some of them are gone.`,
    detail: { messages: messages.length, bytes },
  });
}
