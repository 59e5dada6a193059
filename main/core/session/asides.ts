import { AppError, toErrorShape } from '../../../shared/error';
import type { AsideId, SessionId } from '../../../shared/model/ids';
import type { TurnEventPayload } from '../../../shared/model/turn-event';
import { INTERRUPTED_RESULT } from '../context/sanitise';
import type { ModelMessage, ResolvedModel, Usage } from '../model/port';
import { draftRequest } from '../turn/request';
import type { LoopDeps } from '../turn/turn-types';
import type { SessionRuntime } from './session-runtime';
import type { TurnService } from './turn-service';
import type { WriterLease } from './writer-lease';

/** An answer to a side question as far as it has come. */
export interface LiveAside {
  asideId: AsideId;
  sessionId: SessionId;
  text: string;
}

export interface AsideOptions {
  turns: TurnService;
  lease: WriterLease;
  newId(): string;
}

/** An aside is a glance, not a turn: what is not answered by then is given up. */
const LIMIT_MS = 180_000;
/** Asides of one session that are answered at the same time. */
const MAX_LIVE = 3;

const ask = (question: string): string =>
  `The user asks a side question while the work goes on. Answer it shortly from what is above, without tools; it is no part of the task.\n\n${question}`;

/** The history without a step whose calls are still at work: their results are not there yet. */
function settled(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const waiting = messages.findIndex(
    (message) => message.role === 'tool' && message.content === INTERRUPTED_RESULT,
  );
  if (waiting === -1) return messages;
  return messages.slice(
    0,
    messages.findLastIndex(({ role }, at) => at < waiting && role === 'assistant'),
  );
}

/**
 * Side questions: answered from a session's context, by its model, while its turn runs or rests. Question and answer are
 * shown in the chat and kept, but never become part of what the model is sent later.
 */
export class Asides {
  private readonly live = new Map<AsideId, LiveAside & { abort: AbortController }>();
  private readonly listeners = new Set<() => void>();

  constructor(private readonly options: AsideOptions) {}

  /**
   * Resolves once the answer, or why there is none, is stored.
   *
   * @throws AppError `busy` when another process writes the session or too many are being answered, `no_project`,
   *   `not_found`
   */
  async ask(sessionId: SessionId, question: string): Promise<{ asideId: AsideId }> {
    const { turns, lease, newId } = this.options;
    if (this.list().filter((aside) => aside.sessionId === sessionId).length >= MAX_LIVE) {
      throw new AppError('busy', `${MAX_LIVE} side questions are being answered already.`, {
        hint: 'Wait for one of them, or stop it.',
      });
    }
    const { runtime, deps } = turns.requestDeps(sessionId);
    const isOwn = turns.isRunning(sessionId);
    if (!isOwn) lease.take(sessionId);
    const asideId = newId() as AsideId;
    const aside = { asideId, sessionId, text: '', abort: new AbortController() };
    this.live.set(asideId, aside);
    try {
      if (!isOwn) runtime.catchUp();
      this.store(runtime, { type: 'aside.asked', asideId, question });
      const signal = AbortSignal.any([aside.abort.signal, AbortSignal.timeout(LIMIT_MS)]);
      const full: LoopDeps = {
        ...deps,
        ...{ signal, takeInterjections: () => [], hasInterjections: () => false },
      };
      await this.answer(runtime, full, aside, question);
      return { asideId };
    } finally {
      this.live.delete(asideId);
      this.changed();
      // A turn that began meanwhile holds the session from here on.
      if (!isOwn && !turns.isRunning(sessionId)) lease.release(sessionId);
    }
  }

  stop(asideId: AsideId): void {
    this.live.get(asideId)?.abort.abort(new DOMException('The user stopped the answer.', 'AbortError'));
  }

  stopAll(): void {
    for (const { asideId } of this.list()) this.stop(asideId);
  }

  list(): LiveAside[] {
    return [...this.live.values()].map(({ asideId, sessionId, text }) => ({ asideId, sessionId, text }));
  }

  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private async answer(
    runtime: SessionRuntime,
    deps: LoopDeps,
    aside: LiveAside & { abort: AbortController },
    question: string,
  ): Promise<void> {
    const { asideId } = aside;
    try {
      const model = await deps.resolveModel();
      const usage = await this.stream(model, deps, aside, question);
      const name = `${model.provider.id}/${model.model}`;
      this.store(
        runtime,
        { type: 'aside.answered', asideId, text: aside.text, stopped: false },
        ...(usage
          ? [{ type: 'usage' as const, estimated: false, model: name, purpose: 'aside' as const, ...usage }]
          : []),
      );
    } catch (error) {
      const stopped = aside.abort.signal.aborted;
      const failure = stopped ? {} : { error: toErrorShape(error) };
      this.store(runtime, { type: 'aside.answered', asideId, text: aside.text, stopped, ...failure });
    }
  }

  private async stream(
    model: ResolvedModel,
    deps: LoopDeps,
    aside: LiveAside,
    question: string,
  ): Promise<Usage | null> {
    const { messages, tools } = await draftRequest(deps, model);
    const request = {
      model: model.model,
      messages: [...settled(messages), { role: 'user' as const, content: ask(question) }],
      tools,
      toolChoice: 'none' as const,
    };
    const stream = model.provider.stream(request, { signal: deps.signal });
    for (;;) {
      const next = await stream.next();
      if (next.done) return next.value.usage;
      if (next.value.type === 'text') aside.text += next.value.text;
      else if (next.value.type === 'reset') aside.text = '';
      else continue;
      this.changed();
    }
  }

  private store(runtime: SessionRuntime, ...payloads: TurnEventPayload[]): void {
    const turnId = runtime.view.live?.turnId ?? this.options.turns.lastTurnOf(runtime);
    runtime.log.append(turnId, payloads);
  }

  private changed(): void {
    for (const listener of this.listeners) listener();
  }
}
