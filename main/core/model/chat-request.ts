import { legalCallId } from './call-ids';
import { imageTokens } from '../image/image-tokens';
import { hasImages, replaceImages } from '../image/left-out';
import { recordOf, type LooseRecord } from './loose';
import type { HistoryCall, ModelMessage, ModelRequest, ToolChoice, ToolSpec } from './port';

/** What a server takes; learned from its refusals and kept per base URL. */
export interface Dialect {
  /** `stream_options.include_usage` */
  usage: boolean;
  /** `tool_choice` other than auto (H8). */
  toolChoice: boolean;
  /** Whether to send `parallel_tool_calls` at all (fault-F82). */
  parallel: boolean;
  /** The field that limits the length of a reply. */
  maxTokensField: 'max_tokens' | 'max_completion_tokens';
  /** Field in which earlier reasoning goes back for turns with tools; null = never (fault-F53). */
  reasoningField: 'reasoning_content' | null;
}

/**
 * The JSON body of a streamed chat-completions request. The same messages give the same bytes, so that a provider's
 * prefix cache keeps hitting.
 *
 * @param providerId opaque data of other providers is left out (fault-F54)
 */
export function chatBody(request: ModelRequest, dialect: Dialect, providerId: string): LooseRecord {
  const withTools = request.tools.length > 0;
  return {
    model: request.model,
    stream: true,
    ...(dialect.usage ? { stream_options: { include_usage: true } } : {}),
    ...(withTools ? toolFields(request, dialect) : {}),
    ...(request.maxOutputTokens === undefined ? {} : { [dialect.maxTokensField]: request.maxOutputTokens }),
    messages: mapMessages(request.messages, dialect, providerId),
  };
}

function toolFields(request: ModelRequest, dialect: Dialect): LooseRecord {
  return {
    tools: request.tools.map(wireTool),
    tool_choice: dialect.toolChoice ? mapChoice(request.toolChoice) : 'auto',
    ...(dialect.parallel ? { parallel_tool_calls: true } : {}),
  };
}

/** Tools as they were mapped: the same tool gives the same object again, so that its JSON is made once. */
const wireTools = new WeakMap<ToolSpec, LooseRecord>();

function wireTool(tool: ToolSpec): LooseRecord {
  let wire = wireTools.get(tool);
  if (wire === undefined) {
    const { name, description, parameters } = tool;
    wire = { type: 'function', function: { name, description, parameters } };
    wireTools.set(tool, wire);
  }
  return wire;
}

const mapChoice = (choice: ToolChoice): unknown =>
  typeof choice === 'string' ? choice : { type: 'function', function: { name: choice.name } };

function mapMessages(messages: readonly ModelMessage[], dialect: Dialect, providerId: string): LooseRecord[] {
  const turnsWithTools = dialect.reasoningField === null ? new Set<number>() : turnsThatCall(messages);
  let turn = 0;
  return messages.map((message) => {
    if (message.role === 'user') turn += 1;
    const field = turnsWithTools.has(turn) ? dialect.reasoningField : null;
    return mappedOnce(message, providerId, field);
  });
}

/** Messages as they were mapped last: the same message gives the same object again, so that its JSON is made once. */
const mapped = new WeakMap<ModelMessage, { providerId: string; field: string | null; value: LooseRecord }>();

function mappedOnce(message: ModelMessage, providerId: string, field: string | null): LooseRecord {
  const known = mapped.get(message);
  if (known?.providerId === providerId && known.field === field) return known.value;
  const value = mapMessage(message, providerId);
  if (message.role === 'assistant' && field !== null) value[field] = message.reasoning ?? '';
  mapped.set(message, { providerId, field, value });
  return value;
}

/** Numbers of the turns (1 = after the first user message) in which a tool was called. */
function turnsThatCall(messages: readonly ModelMessage[]): Set<number> {
  const turns = new Set<number>();
  let turn = 0;
  for (const message of messages) {
    if (message.role === 'user') turn += 1;
    if (message.role === 'assistant' && (message.calls ?? []).length > 0) turns.add(turn);
  }
  return turns;
}

function mapMessage(message: ModelMessage, providerId: string): LooseRecord {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.content };
    case 'user':
      return { role: 'user', content: userContent(message.content, message.images ?? []) };
    case 'tool':
      return { role: 'tool', tool_call_id: legalCallId(message.callId), content: message.content };
    case 'assistant':
      return mapAssistant(message, providerId);
  }
}

function userContent(text: string, images: readonly { mime: string; base64: string }[]): unknown {
  if (images.length === 0) return text;
  const parts = images.map(({ mime, base64 }) => ({
    type: 'image_url',
    image_url: { url: `data:${mime};base64,${base64}` },
  }));
  // An empty text part is refused by several providers (fault-F56).
  return text.trim() === '' ? parts : [{ type: 'text', text }, ...parts];
}

function mapAssistant(
  message: Extract<ModelMessage, { role: 'assistant' }>,
  providerId: string,
): LooseRecord {
  const opaque = message.opaque?.provider === providerId ? recordOf(message.opaque.data) : null;
  const calls = message.calls ?? [];
  const mapped: LooseRecord = {
    role: 'assistant',
    content: message.content === '' && calls.length > 0 ? null : message.content,
  };
  if (calls.length > 0)
    mapped['tool_calls'] = calls.map((call) => mapCall(call, recordOf(opaque?.['calls'])));
  if (opaque?.['reasoningDetails'] !== undefined) mapped['reasoning_details'] = opaque['reasoningDetails'];
  if (opaque?.['extra'] !== undefined) mapped['extra_content'] = opaque['extra'];
  return mapped;
}

function mapCall(call: HistoryCall, extras: LooseRecord | null): LooseRecord {
  const extra = extras?.[call.id];
  return {
    id: legalCallId(call.id),
    type: 'function',
    function: { name: call.name, arguments: call.arguments },
    ...(extra === undefined ? {} : { extra_content: extra }),
  };
}

/** Every call id that a conversation uses. */
export function callIdsIn(messages: readonly ModelMessage[]): string[] {
  return messages.flatMap((message) =>
    message.role === 'assistant' ? (message.calls ?? []).map((call) => legalCallId(call.id)) : [],
  );
}

/** The request with the images of its newest message only; null when there are no older ones to leave out (fault-F32). */
export function withoutOldImages(request: ModelRequest): ModelRequest | null {
  const newest = request.messages.findLastIndex(hasImages);
  if (!request.messages.some((message, at) => at < newest && hasImages(message))) return null;
  const messages = request.messages.map((message, at) => {
    return at >= newest ? message : replaceImages(message, () => 'the request was too large');
  });
  return { ...request, messages };
}

/** Rough size of a request in tokens, at four characters a token (off by a tenth at most for text and code). */
export function estimateTokens(request: ModelRequest): number {
  let chars = JSON.stringify(request.tools).length;
  for (const message of request.messages) {
    chars += message.content.length;
    if (hasImages(message)) for (const image of message.images) chars += 4 * imageTokens(image);
    if (message.role === 'assistant') for (const call of message.calls ?? []) chars += call.arguments.length;
  }
  return Math.ceil(chars / 4);
}
