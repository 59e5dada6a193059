import { AppError } from '../../../shared/error';
import type { CallId, MessageId } from '../../../shared/model/ids';
import type { TurnEventPayload } from '../../../shared/model/turn-event';
import { estimateCharTokens } from '../context/tokens';
import { LENGTH_CONTINUATIONS } from '../limits';
import type {
  HistoryCall,
  ModelMessage,
  ModelReply,
  ReplyCall,
  ResolvedModel,
  ToolChoice,
} from '../model/port';
import { noteUsage } from './note-usage';
import { prepareRequest, type PreparedRequest } from './request';
import { withoutTextCalls } from './text-calls';
import type { LoopDeps, TurnRecord } from './turn-types';

/** What one model step brought: the whole reply with continuations joined. */
export interface StepReply {
  messageId: MessageId;
  text: string;
  calls: ReplyCall[];
}

interface Streamed {
  text: string;
  reasoning: string;
}

const CONTINUE_CUT =
  'Your answer was cut by the output limit. Continue exactly where it stopped, without repeating anything.';

const isOverflow = (error: unknown): error is AppError & { learnedContextWindow?: number } =>
  error instanceof AppError && error.code === 'provider_context';

/** Streams one request; yields deltas and waits. What was shown is kept in `seen`, also when the stream breaks. */
async function* streamOnce(
  request: PreparedRequest,
  model: ResolvedModel,
  messageId: MessageId,
  seen: Streamed,
  toolChoice: ToolChoice,
  deps: LoopDeps,
): AsyncGenerator<TurnRecord, ModelReply> {
  const { messages, tools } = request;
  const stream = model.provider.stream(
    { model: model.model, messages, tools, toolChoice },
    { signal: deps.signal },
  );
  for (;;) {
    const next = await stream.next();
    if (next.done) return next.value;
    const event = next.value;
    switch (event.type) {
      case 'text':
        seen.text += event.text;
        yield { payloads: [{ type: 'text.delta', messageId, text: event.text }] };
        break;
      case 'reasoning':
        seen.reasoning += event.text;
        yield { payloads: [{ type: 'reasoning.delta', messageId, text: event.text }] };
        break;
      case 'reset':
        seen.text = '';
        seen.reasoning = '';
        yield { payloads: [{ type: 'text.reset', messageId }] };
        break;
      case 'retry':
        yield { payloads: [event] };
        break;
      case 'notice':
        yield { payloads: [{ type: 'nudge', kind: event.kind, text: event.text, tone: 'warn' }] };
        break;
    }
  }
}

/** One reply; an overflow is answered with exactly one compaction and one more try (fault-F87–F103). */
async function* replyWithCompaction(
  resolved: ResolvedModel,
  messageId: MessageId,
  seen: Streamed,
  toolChoice: ToolChoice,
  deps: LoopDeps,
): AsyncGenerator<TurnRecord, { reply: ModelReply; request: PreparedRequest }> {
  let model = resolved;
  for (let attempt = 1; ; attempt += 1) {
    const request = yield* prepareRequest(deps, model, attempt > 1);
    try {
      return { reply: yield* streamOnce(request, model, messageId, seen, toolChoice, deps), request };
    } catch (error) {
      if (!isOverflow(error) || attempt > 1) throw error;
      if (error.learnedContextWindow !== undefined) {
        deps.models.learnContextWindow(model.provider.id, model.model, error.learnedContextWindow);
        model = { ...model, contextWindow: Math.min(model.contextWindow, error.learnedContextWindow) };
      }
    }
  }
}

const LEGAL_NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** History holds valid JSON and legal names only, whatever the model wrote (fault-F71, F73). */
function historyCall(call: ReplyCall): HistoryCall {
  const args = call.args.ok ? call.args.value : { _invalid: call.raw };
  return {
    id: call.id,
    name: LEGAL_NAME.test(call.name) ? call.name : 'invalid_tool',
    arguments: JSON.stringify(args ?? {}),
  };
}

/** A call or result that was written as text is left out: the model would follow the example (fault-F77). */
function assistantMessage(reply: ModelReply, deps: LoopDeps): ModelMessage {
  return {
    role: 'assistant',
    content: withoutTextCalls(reply.text, (name) => deps.runner.effectOf(name) !== null),
    ...(reply.reasoning === '' ? {} : { reasoning: reply.reasoning }),
    ...(reply.calls.length === 0 ? {} : { calls: reply.calls.map(historyCall) }),
    ...(reply.opaque === undefined ? {} : { opaque: reply.opaque }),
  };
}

function usageOf(reply: ModelReply, request: PreparedRequest): TurnEventPayload {
  if (reply.usage) return { type: 'usage', estimated: false, ...reply.usage };
  const written =
    reply.text.length + reply.reasoning.length + reply.calls.reduce((n, call) => n + call.raw.length, 0);
  return {
    type: 'usage',
    inputTokens: request.estimatedTokens,
    outputTokens: estimateCharTokens(written),
    estimated: true,
  };
}

function requested(reply: ModelReply, messageId: MessageId, deps: LoopDeps): TurnEventPayload[] {
  return reply.calls.map((call) => {
    const args = call.args.ok ? call.args.value : { _invalid: call.raw };
    return {
      type: 'call.requested',
      callId: call.id as CallId,
      messageId,
      tool: call.name,
      args,
      label: deps.runner.labelOf(call.name, args),
    };
  });
}

/**
 * Closes a broken or stopped reply. What the user stopped goes into the history; what a fault cut stays in the event log
 * alone, since Retry voids it and Continue picks it up from there.
 */
function closePartial(
  seen: Streamed,
  messageId: MessageId,
  step: number,
  durationMs: number,
  deps: LoopDeps,
): TurnRecord {
  const payload = { type: 'step.finished', step, messageId, durationMs, kind: 'partial' } as const;
  if (!deps.signal.aborted || seen.text.trim() === '') return { payloads: [payload] };
  return {
    payloads: [payload],
    messages: [deps.history.append({ role: 'assistant', content: seen.text }, messageId)],
  };
}

/**
 * One model step: request, stream, store the assistant message with its calls. An answer cut by the output limit is
 * continued in the same message (H16). When the stream fails, the partial text is stored before the failure goes on.
 */
export async function* modelStep(
  model: ResolvedModel,
  messageId: MessageId,
  step: number,
  deps: LoopDeps,
  toolChoice: ToolChoice = 'auto',
): AsyncGenerator<TurnRecord, StepReply> {
  const startedAt = deps.now();
  let text = '';
  for (let part = 0; ; part += 1) {
    const seen: Streamed = { text: '', reasoning: '' };
    let result: { reply: ModelReply; request: PreparedRequest };
    try {
      result = yield* replyWithCompaction(model, messageId, seen, part === 0 ? toolChoice : 'auto', deps);
    } catch (error) {
      yield closePartial(seen, messageId, step, deps.now() - startedAt, deps);
      throw error;
    }
    const { reply, request } = result;
    text += reply.text;
    const id = part === 0 ? messageId : deps.newId();
    yield {
      payloads: [
        usageOf(reply, request),
        ...noteUsage(request, model, reply.usage, deps),
        ...requested(reply, messageId, deps),
      ],
      messages: [deps.history.append(assistantMessage(reply, deps), id)],
      // A call that acts journals itself first, and takes this along.
      deferrable: reply.calls.length > 0,
    };
    const cut = reply.finish === 'length' && reply.calls.length === 0 && reply.text !== '';
    if (!cut || part >= LENGTH_CONTINUATIONS) return { messageId, text, calls: reply.calls };
    yield {
      payloads: [
        { type: 'nudge', kind: 'length', text: 'The answer hit the output limit and is being continued.' },
      ],
      messages: [deps.history.append({ role: 'user', content: CONTINUE_CUT })],
    };
  }
}
