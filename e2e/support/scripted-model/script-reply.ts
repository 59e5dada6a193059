/** One call of a scripted reply. */
export interface ScriptCall {
  tool: string;
  /** An object is sent as JSON; a string goes out as it is, so that broken arguments can be scripted. */
  args: Record<string, unknown> | string;
  /** Default: `call_1`, `call_2` … over the life of the server. */
  id?: string;
}

/** How one request is answered. Members combine: reasoning, then text, then calls, then the fault, if any. */
export interface ScriptReply {
  text?: string;
  reasoning?: string;
  calls?: ScriptCall[];
  /** Overrides what follows from the calls. null = none is sent. */
  finish?: string | null;
  usage?: { prompt_tokens: number; completion_tokens: number } | null;
  /** Pause before every chunk, in milliseconds. */
  delayMs?: number;
  /** Pause before the response head. */
  headDelayMs?: number;
  /** The stream stops after this many characters of text until `release()` is called. */
  holdAfterChars?: number;
  /** The socket is destroyed after this many characters of text (0 = right after the head). */
  dropAfterChars?: number;
  /** Answer with this status and `body` instead of a stream. */
  status?: number;
  headers?: Record<string, string>;
  /** For `status`: an object is sent as JSON, a string as it is (HTML, plain text). */
  body?: unknown;
  /** After text and calls: an `error` chunk inside the 200 stream. */
  streamError?: unknown;
  /** Sent as it is, before anything else: malformed lines, comments, odd chunks. */
  raw?: string;
  /** Accept the request and never answer. */
  silent?: boolean;
  /** Send the head, then nothing. */
  silentBody?: boolean;
  /** Send a comment every 20 ms for this long before the reply. */
  commentsMs?: number;
  /** Do not end the response after `data: [DONE]`. */
  keepOpen?: boolean;
  /** Leave out `data: [DONE]`. */
  noDone?: boolean;
  /** Answer as one JSON document although a stream was asked for. */
  asDocument?: boolean;
}

/** A JSON body as received. */
export interface ChatBody {
  model: string;
  stream?: boolean;
  messages: { role: string; content: unknown; tool_calls?: unknown[]; tool_call_id?: string }[];
  tools?: { type: string; function: { name: string; description: string; parameters: unknown } }[];
  tool_choice?: unknown;
  [field: string]: unknown;
}

/** A fixed reply, a bare text, or a function of the request and its 1-based number. */
export type ScriptStep =
  | ScriptReply
  | string
  | ((body: ChatBody, number: number) => ScriptReply | string | Promise<ScriptReply | string>);

/** Shorthand: `calls('read_file', { path: 'a.ts' })`. */
export const calls = (tool: string, args: ScriptCall['args'], text = ''): ScriptReply => ({
  ...(text === '' ? {} : { text }),
  calls: [{ tool, args }],
});
