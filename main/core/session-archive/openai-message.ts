import { z } from 'zod';
import type { ModelMessage } from '../model/port';
import { IMAGE_TYPES } from './image-types';

/** Calls of one message and pictures of one message that are taken in. */
const MAX_PARTS = 512;
const MAX_ID_CHARS = 200;

/** A message as the chat-completions API writes it; `reasoning_content` is what several providers add. */
export function toOpenAi(message: ModelMessage): Record<string, unknown> {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.content };
    case 'user': {
      const images = message.images ?? [];
      if (images.length === 0) return { role: 'user', content: message.content };
      const parts = images.map(({ mime, base64 }) => ({
        type: 'image_url',
        image_url: { url: `data:${mime};base64,${base64}` },
      }));
      return { role: 'user', content: [{ type: 'text', text: message.content }, ...parts] };
    }
    case 'assistant': {
      const calls = (message.calls ?? []).map(({ id, name, arguments: text }) => ({
        id,
        type: 'function',
        function: { name, arguments: text },
      }));
      return {
        role: 'assistant',
        content: message.content,
        ...(message.reasoning === undefined ? {} : { reasoning_content: message.reasoning }),
        ...(calls.length === 0 ? {} : { tool_calls: calls }),
      };
    }
    case 'tool':
      return { role: 'tool', tool_call_id: message.callId, name: message.name, content: message.content };
  }
}

const TextPart = z.object({ type: z.enum(['text', 'input_text', 'output_text']), text: z.string() });
const ImagePart = z.object({ type: z.literal('image_url'), image_url: z.object({ url: z.string() }) });
const Parts = z.array(z.union([TextPart, ImagePart, z.object({ type: z.string() })])).max(MAX_PARTS);
const Content = z.union([z.string(), z.null(), Parts]).optional();
type Content = z.infer<typeof Content>;

const Call = z.object({
  id: z.string().min(1).max(MAX_ID_CHARS),
  function: z.object({ name: z.string().min(1).max(MAX_ID_CHARS), arguments: z.string() }),
});

const OpenAiMessage = z.discriminatedUnion('role', [
  z.object({ role: z.literal('system'), content: Content }),
  z.object({ role: z.literal('developer'), content: Content }),
  z.object({ role: z.literal('user'), content: Content }),
  z.object({
    role: z.literal('assistant'),
    content: Content,
    reasoning_content: z.string().nullish(),
    tool_calls: z.array(Call).max(MAX_PARTS).nullish(),
  }),
  z.object({
    role: z.literal('tool'),
    tool_call_id: z.string().min(1).max(MAX_ID_CHARS),
    name: z.string().max(MAX_ID_CHARS).nullish(),
    content: Content,
  }),
]);

function textOf(content: Content): string {
  if (content === undefined || content === null) return '';
  if (typeof content === 'string') return content;
  return content.flatMap((part) => ('text' in part ? [part.text] : [])).join('\n');
}

const DATA_URL = /^data:([a-z]+\/[a-z0-9.+-]+);base64,([A-Za-z0-9+/]+={0,2})$/;

function imagesOf(content: Content): { mime: string; base64: string }[] {
  if (!Array.isArray(content)) return [];
  return content.flatMap((part) => {
    const url = 'image_url' in part ? DATA_URL.exec(part.image_url.url) : null;
    return url?.[1] !== undefined && url[2] !== undefined && IMAGE_TYPES.has(url[1])
      ? [{ mime: url[1], base64: url[2] }]
      : [];
  });
}

/** Arguments are kept as valid JSON text of an object. */
function objectText(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return text;
    return JSON.stringify({ value });
  } catch {
    return text.trim() === '' ? '{}' : JSON.stringify({ raw: text });
  }
}

type Assistant = Extract<z.infer<typeof OpenAiMessage>, { role: 'assistant' }>;

function assistant({ content, reasoning_content, tool_calls }: Assistant): ModelMessage {
  const calls = (tool_calls ?? []).map(({ id, function: { name, arguments: text } }) => ({
    id,
    name,
    arguments: objectText(text),
  }));
  return {
    role: 'assistant',
    content: textOf(content),
    ...(reasoning_content == null ? {} : { reasoning: reasoning_content }),
    ...(calls.length === 0 ? {} : { calls }),
  };
}

/**
 * Reads a message that somebody else wrote. `null`: no message of this format. `'instructions'`: a system message – a
 * session's instructions are our own, those of a file would be somebody else's.
 */
export function fromOpenAi(value: unknown): ModelMessage | 'instructions' | null {
  const parsed = OpenAiMessage.safeParse(value);
  if (!parsed.success) return null;
  const message = parsed.data;
  switch (message.role) {
    case 'system':
    case 'developer':
      return 'instructions';
    case 'user': {
      const images = imagesOf(message.content);
      return {
        role: 'user',
        content: textOf(message.content),
        ...(images.length === 0 ? {} : { images }),
      };
    }
    case 'assistant':
      return assistant(message);
    case 'tool':
      return {
        role: 'tool',
        callId: message.tool_call_id,
        name: message.name ?? 'tool',
        content: textOf(message.content),
      };
  }
}
