import type { BodyFrame } from './body-reader';
import { parseCallArguments } from './call-arguments';
import type { CallIds } from './call-ids';
import { CallMerger, type GrowingCall } from './call-merger';
import { mergeDetails, readDelta, readUsage } from './chat-chunk';
import { faultError, type Endpoint } from './errors';
import { listOf, parseJson, recordOf, textOf, type LooseRecord } from './loose';
import { ModelError, type ModelErrorOptions } from './model-error';
import type { ModelReply, ModelStreamEvent, ReplyCall, Usage } from './port';
import { readFault, readFaultBody } from './provider-fault';
import { ThinkSplitter, type ContentPiece } from './think-splitter';

/** A repeat of the whole answer is told from a repeated word by its length in characters. */
const MIN_REPEAT_CHARS = 16;

const LENGTH_REASONS = new Set(['length', 'max_tokens', 'max_output_tokens', 'model_length']);
const FILTER_REASONS = new Set([
  'content_filter',
  'content-filter',
  'safety',
  'recitation',
  'refusal',
  'sensitive',
]);

/** Builds one reply from the frames of a body. Lenient about shapes, strict about completeness. */
export class ReplyBuilder {
  private text = '';
  private reasoning = '';
  private usage: Usage | null = null;
  private finishReason = '';
  private finalData = '';
  private done = false;
  private whole = false;
  private readonly merger = new CallMerger();
  private readonly think = new ThinkSplitter();
  private readonly details: LooseRecord[] = [];
  private extra: unknown;

  constructor(
    private readonly endpoint: Endpoint,
    private readonly providerId: string,
    private readonly ids: CallIds,
  ) {}

  /** The end marker of the stream has come: nothing more is to be read. */
  get closed(): boolean {
    return this.done;
  }

  /** The reply is complete; only usage and the end marker may follow. */
  get finished(): boolean {
    return this.done || this.finishReason !== '';
  }

  get partial(): { text: string; reasoning: string } | null {
    const { text, reasoning } = this;
    return text === '' && reasoning === '' ? null : { text, reasoning };
  }

  /** Whether a call has begun, so that a break here loses it. */
  get insideCall(): boolean {
    return this.merger.started && !this.finished;
  }

  /** @throws ModelError when the frame carries an error or is no chunk at all */
  take(frame: BodyFrame): ModelStreamEvent[] {
    const data = frame.data.trim();
    if (data === '' || data.startsWith(':')) return [];
    if (data === '[DONE]') {
      this.done = true;
      return [];
    }
    // The final frame once more, word for word (fault-F47).
    if (this.finalData !== '' && data === this.finalData) return [];
    const chunk = parseJson(data);
    if (chunk === undefined) return this.unreadable(frame);
    this.checkFault(chunk, frame.event);
    const record = recordOf(chunk);
    return record === null ? [] : this.takeChunk(record, frame, data);
  }

  private unreadable(frame: BodyFrame): ModelStreamEvent[] {
    // Cut by the end of the body: the missing end marker will say so.
    if (frame.unterminated) return [];
    const { name, host } = this.endpoint;
    const what = frame.data.trimStart().startsWith('<') ? 'a web page' : 'something other than JSON';
    throw this.fail('provider_protocol', `${name} at ${host} answered with ${what} instead of a reply.`, {
      hint: 'Check the base URL in the provider settings, and whether a proxy stands in between.',
      ...(frame.document ? {} : { retry: { limit: 2 } }),
    });
  }

  private checkFault(chunk: unknown, event: string | undefined): void {
    const fault = readFault(chunk) ?? (event === 'error' ? readFaultBody(0, JSON.stringify(chunk)) : null);
    if (fault === null) return;
    const seen = fault.status === 0 ? { ...fault, status: null } : fault;
    throw faultError(seen, this.endpoint, null, { partial: this.partial, insideCall: this.insideCall });
  }

  private takeChunk(chunk: LooseRecord, frame: BodyFrame, data: string): ModelStreamEvent[] {
    this.usage = readUsage(chunk) ?? this.usage;
    const choice = recordOf(listOf(chunk['choices'])[0]);
    if (choice === null) return [];
    const reason = textOf(choice['finish_reason']).toLowerCase();
    const events = this.takeMessage(choice, reason !== '' || this.finished);
    if (reason !== '' && reason !== 'null') {
      this.finishReason = reason;
      this.finalData = data;
      this.usage = readUsage(choice) ?? this.usage;
    }
    if (frame.document) this.whole = true;
    return events;
  }

  private takeMessage(choice: LooseRecord, ending: boolean): ModelStreamEvent[] {
    const delta = recordOf(choice['delta']);
    // A whole message after its own deltas is a repetition (fault-F47).
    const begun = this.text !== '' || this.merger.started;
    const source = delta ?? (begun ? null : recordOf(choice['message']));
    if (source === null) return [];
    const parts = readDelta(source);
    mergeDetails(this.details, parts.details);
    if (parts.extra !== undefined) this.extra = parts.extra;
    if (parts.calls.length > 0) this.merger.add(parts.calls);
    const repeated = ending && parts.text.length >= MIN_REPEAT_CHARS && parts.text === this.text;
    return [...this.show('reasoning', parts.reasoning), ...this.split(repeated ? '' : parts.text)];
  }

  private split(text: string): ModelStreamEvent[] {
    return text === '' ? [] : this.showPieces(this.think.push(text));
  }

  private showPieces(pieces: ContentPiece[]): ModelStreamEvent[] {
    return pieces.flatMap((piece) => this.show(piece.kind, piece.text));
  }

  private show(type: 'text' | 'reasoning', text: string): ModelStreamEvent[] {
    if (text === '') return [];
    this[type] += text;
    return [{ type, text }];
  }

  /** What was still held back when the body ended. */
  flush(): ModelStreamEvent[] {
    return this.showPieces(this.think.end());
  }

  /**
   * The reply, once the body has ended.
   *
   * @throws ModelError when it is incomplete (fault-F13, F17), filtered (F48) or empty (F12, F51)
   */
  finish(): ModelReply {
    if (!this.finished && !this.whole) throw this.interrupted();
    if (FILTER_REASONS.has(this.finishReason)) throw this.filtered();
    if (this.finishReason === 'error')
      throw this.fail('provider_overloaded', `${this.endpoint.name} broke off the reply.`, {
        retry: { limit: 5 },
      });
    const cut = LENGTH_REASONS.has(this.finishReason);
    const grown = this.merger.finish();
    const calls = grown.map((call) => this.finishCall(call, cut));
    if (calls.length === 0 && this.text.trim() === '' && !cut) throw this.empty();
    const opaque = this.opaque(grown, calls);
    return {
      text: this.text,
      reasoning: this.reasoning,
      calls,
      finish: cut ? 'length' : calls.length > 0 ? 'calls' : 'stop',
      usage: this.usage,
      ...(opaque === null ? {} : { opaque: { provider: this.providerId, data: opaque } }),
    };
  }

  private finishCall(call: GrowingCall, cut: boolean): ReplyCall {
    const args = parseCallArguments(call.raw, cut);
    return { id: this.ids.claim(call.id), name: call.name, args, raw: call.raw };
  }

  private opaque(grown: GrowingCall[], calls: ReplyCall[]): Record<string, unknown> | null {
    const extras = grown.flatMap((call, at) =>
      call.extra === undefined ? [] : [[calls[at]?.id ?? '', call.extra]],
    );
    const data = {
      ...(extras.length === 0 ? {} : { calls: Object.fromEntries(extras) as Record<string, unknown> }),
      ...(this.details.length === 0 ? {} : { reasoningDetails: this.details }),
      ...(this.extra === undefined ? {} : { extra: this.extra }),
    };
    return Object.keys(data).length === 0 ? null : data;
  }

  /** The failure of a body that ended or broke before the reply was complete. */
  interrupted(cause?: unknown): ModelError {
    return this.fail(
      'provider_unreachable',
      `The connection to ${this.endpoint.host} ended before the reply was complete.`,
      {
        hint:
          this.partial === null ? 'Try again.' : 'What had arrived is kept. Continue to go on from there.',
        retry: { limit: 5 },
        ...(cause === undefined ? {} : { cause }),
      },
    );
  }

  private filtered(): ModelError {
    return this.fail('provider_filtered', `${this.endpoint.name} filtered the reply.`, {
      hint: 'Edit the last message and send it again.',
    });
  }

  /** Nothing but an end marker may be tried twice more, an empty answer once (fault-F12, F51). */
  private empty(): ModelError {
    const nothing = this.finishReason === '' && this.reasoning === '' && this.usage === null;
    const what = this.reasoning === '' ? 'an empty reply' : 'reasoning without an answer';
    return this.fail('provider_empty', `${this.endpoint.name} sent ${what}.`, {
      hint: 'Try again, say it in other words, or choose another model.',
      retry: { limit: nothing ? 2 : 1 },
    });
  }

  private fail(code: ModelError['code'], message: string, options: ModelErrorOptions): ModelError {
    const { host, model } = this.endpoint;
    const { partial, insideCall } = this;
    return new ModelError(code, message, { partial, insideCall, detail: { host, model }, ...options });
  }
}
