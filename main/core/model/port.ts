import type { ErrorShape } from '../../../shared/error';

/** A tool call as kept in history. `arguments` is always valid JSON text of an object (fault-F71). */
export interface HistoryCall {
  id: string;
  name: string;
  arguments: string;
}

/** A picture in a message. `mime` is what its bytes say. */
export interface ImagePart {
  mime: string;
  base64: string;
}

/** One message of a request, provider-neutral. Sanitised before it reaches an adapter. */
export type ModelMessage =
  | { role: 'system'; content: string }
  | { role: 'user'; content: string; images?: ImagePart[] }
  | {
      role: 'assistant';
      content: string;
      reasoning?: string;
      calls?: HistoryCall[];
      /** Opaque provider data to send back untouched to the same provider only. */
      opaque?: { provider: string; data: unknown };
    }
  | { role: 'tool'; callId: string; name: string; content: string };

export interface ToolSpec {
  name: string;
  description: string;
  /** JSON Schema of the arguments; root type object. */
  parameters: Record<string, unknown>;
}

export type ToolChoice = 'auto' | 'none' | 'required' | { name: string };

export interface ModelRequest {
  model: string;
  messages: ModelMessage[];
  tools: ToolSpec[];
  toolChoice: ToolChoice;
  maxOutputTokens?: number;
  /** What it is for; absent for a step and for a turn's last words. */
  purpose?: 'classify' | 'compaction' | 'title' | 'facts';
}

/** A finished call of a reply. Only calls whose arguments parse strictly may run. */
export interface ReplyCall {
  id: string;
  name: string;
  /** Parsed arguments, or why they can't be used. */
  args:
    | { ok: true; value: unknown }
    | { ok: false; reason: 'invalid_json' | 'truncated' | 'output_limit'; message: string };
  /** Argument text as received. */
  raw: string;
}

export interface Usage {
  inputTokens: number;
  outputTokens: number;
  cachedTokens?: number;
  /** `provider/model` that was paid, and its cost in millionths of a US dollar where the price is known. */
  model?: string;
  costMicros?: number;
}

export interface ModelReply {
  text: string;
  reasoning: string;
  calls: ReplyCall[];
  finish: 'stop' | 'calls' | 'length';
  usage: Usage | null;
  opaque?: { provider: string; data: unknown };
}

export type ModelStreamEvent =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  /** The reply starts over: text and reasoning streamed so far are void. */
  | { type: 'reset' }
  /** Something the user should know about what was sent; nothing for the model. `kind` goes on the event. */
  | { type: 'notice'; kind: 'tool_left_out' | 'images_left_out'; text: string }
  /** A wait before another try; visible to the user with a countdown. */
  | {
      type: 'retry';
      attempt: number;
      maxAttempts: number;
      waitMs: number;
      reason: string;
      error: ErrorShape;
    };

/**
 * Thrown by {@link ModelProvider.stream}: `error.code` is one of the provider_* codes, `cancelled` or `timed_out`.
 * `partial` is what was already streamed and must be kept (fault-F17).
 */
export interface ModelFailureFacts {
  partial: { text: string; reasoning: string } | null;
  /** From an overflow error, where the provider says it. */
  learnedContextWindow?: number;
}

export interface ModelProvider {
  readonly id: string;
  readonly name: string;
  /** True for the offline tour and test scripts; the window labels such turns. */
  readonly scripted: boolean;
  /** The server is on this machine. */
  readonly local?: boolean;
  /**
   * Streams one reply; retries transient faults by itself (design of faults.md §1.5) and yields `retry` for each wait.
   * Ends within 200 ms of `signal` firing, with the socket closed.
   *
   * @throws ModelError (an AppError) – see {@link ModelFailureFacts}
   */
  stream(
    request: ModelRequest,
    options: { signal: AbortSignal },
  ): AsyncGenerator<ModelStreamEvent, ModelReply>;
}

export interface ResolvedModel {
  provider: ModelProvider;
  model: string;
  contextWindow: number;
  /** Why this one ("default", "chosen in the session", "command line", "auto: …"). */
  reason: string;
  /** Runs on this machine. */
  local?: boolean;
  /** Whether it takes images; null or absent: not known. */
  sees?: boolean | null;
}

/** What kind of model a step would like, where the user left the choice open ("auto"). */
export interface ModelWish {
  tier: 'fast' | 'main' | 'flagship';
  /** Goes on "the fast model for …" in `reason`. */
  why: string;
}

/** Finds the provider for `provider/model` (null = the default). */
export interface ModelDirectory {
  /** @throws AppError `no_model` with a hint when nothing is set up */
  resolve(model: string | null): Promise<ResolvedModel>;
  /** Called after an overflow error or a truncation was seen: later turns use the smaller window. */
  learnContextWindow(providerId: string, model: string, tokens: number): void;
}
