import { fromErrorShape, type ErrorShape } from '../../../shared/error';
import { CallIds } from './call-ids';
import { callIdsIn } from './chat-request';
import { systemClock, type Clock } from './clock';
import { cancelledError, ModelError } from './model-error';
import type { ModelProvider, ModelReply, ModelRequest, ModelStreamEvent, ReplyCall, Usage } from './port';

/** One reply of a script. */
export interface ScriptedReply {
  text?: string;
  reasoning?: string;
  calls?: { tool: string; args: Record<string, unknown>; id?: string }[];
  /** Thrown after what is above has streamed. */
  error?: ErrorShape;
  finish?: ModelReply['finish'];
  usage?: Usage;
  /** Pause before every word, in milliseconds; the provider's own pause by default. */
  delayMs?: number;
}

/** Replies in order – a bare string is a text – or one function that answers every request. */
export type ScriptedStep = ScriptedReply | string;
export type Script =
  | readonly (ScriptedStep | ((request: ModelRequest) => ScriptedStep | Promise<ScriptedStep>))[]
  | ((request: ModelRequest) => ScriptedStep | Promise<ScriptedStep>);

export interface ScriptedProviderOptions {
  script: Script;
  id?: string;
  name?: string;
  delayMs?: number;
  clock?: Clock;
}

/** Plays a script instead of asking a model: the offline tour, tests and replay are this one mechanism. */
export class ScriptedProvider implements ModelProvider {
  readonly scripted = true;
  readonly id: string;
  readonly name: string;
  /** Every request so far. */
  readonly requests: ModelRequest[] = [];
  private next = 0;
  private readonly clock: Clock;

  constructor(private readonly options: ScriptedProviderOptions) {
    this.id = options.id ?? 'scripted';
    this.name = options.name ?? 'Scripted';
    this.clock = options.clock ?? systemClock;
  }

  async *stream(
    request: ModelRequest,
    { signal }: { signal: AbortSignal },
  ): AsyncGenerator<ModelStreamEvent, ModelReply> {
    // The live arrays go on changing after this call: keep what was sent.
    this.requests.push({ ...request, messages: [...request.messages] });
    const step = await this.pick(request);
    const reply = typeof step === 'string' ? { text: step } : step;
    const shown = { text: '', reasoning: '' };
    yield* this.speak('reasoning', reply, shown, signal);
    yield* this.speak('text', reply, shown, signal);
    if (signal.aborted) throw cancelledError(partialOf(shown));
    if (reply.error !== undefined) throw failure(reply.error, shown);
    return finished(reply, request);
  }

  private async pick(request: ModelRequest): Promise<ScriptedStep> {
    const { script } = this.options;
    if (typeof script === 'function') return script(request);
    const step = script[this.next];
    this.next += 1;
    if (step === undefined) {
      throw new ModelError('provider_empty', `The script has no reply number ${this.next}.`, {
        hint: 'Give the script one more reply.',
      });
    }
    return typeof step === 'function' ? step(request) : step;
  }

  private async *speak(
    type: 'text' | 'reasoning',
    reply: ScriptedReply,
    shown: { text: string; reasoning: string },
    signal: AbortSignal,
  ): AsyncGenerator<ModelStreamEvent, void> {
    const delayMs = reply.delayMs ?? this.options.delayMs ?? 0;
    for (const text of words(reply[type] ?? '')) {
      if (delayMs > 0) {
        await this.clock.sleep(delayMs, signal).catch((error: unknown) => {
          throw signal.aborted ? cancelledError(partialOf(shown)) : error;
        });
      }
      if (signal.aborted) throw cancelledError(partialOf(shown));
      shown[type] += text;
      yield { type, text };
    }
  }
}

type Shown = { text: string; reasoning: string };

const partialOf = (shown: Shown): Shown | null =>
  shown.text === '' && shown.reasoning === '' ? null : { ...shown };

function failure(shape: ErrorShape, shown: Shown): ModelError {
  const { code, message, hint, audience, detail } = fromErrorShape(shape);
  return new ModelError(code, message, {
    audience,
    partial: partialOf(shown),
    ...(hint === undefined ? {} : { hint }),
    ...(detail === undefined ? {} : { detail }),
  });
}

function finished(reply: ScriptedReply, request: ModelRequest): ModelReply {
  const taken = callIdsIn(request.messages);
  const ids = new CallIds(taken);
  const calls: ReplyCall[] = (reply.calls ?? []).map((call, at) => ({
    // Numbered by the conversation, so that the same script gives the same ids again.
    id: ids.claim(call.id ?? `call_${taken.length + at + 1}`),
    name: call.tool,
    args: { ok: true, value: call.args },
    raw: JSON.stringify(call.args),
  }));
  return {
    text: reply.text ?? '',
    reasoning: reply.reasoning ?? '',
    calls,
    finish: reply.finish ?? (calls.length > 0 ? 'calls' : 'stop'),
    usage: reply.usage ?? null,
  };
}

const words = (text: string): string[] => text.match(/\s*\S+\s*$|\s*\S+/g) ?? (text === '' ? [] : [text]);
