import { listOf, numberOf, recordOf, textOf, type LooseRecord } from './loose';
import type { Usage } from './port';

/** What one delta (or one whole message) adds to a reply. */
export interface DeltaParts {
  text: string;
  reasoning: string;
  /** OpenRouter's reasoning_details, to be sent back as they came. */
  details: unknown[];
  calls: unknown[];
  /** Provider data beside the message (Gemini), to be sent back as it came. */
  extra: unknown;
}

/** Reads a `delta` or `message` record; absent and odd fields read as empty (fault-F52, F55). */
export function readDelta(delta: LooseRecord): DeltaParts {
  const content = delta['content'];
  const parts = typeof content === 'string' ? { text: content, reasoning: '' } : readContentParts(content);
  const details = listOf(delta['reasoning_details']);
  const legacy = recordOf(delta['function_call']);
  return {
    text: parts.text + textOf(delta['refusal']),
    reasoning: reasoningOf(delta, details) + parts.reasoning,
    details,
    calls: legacy === null ? listOf(delta['tool_calls']) : [{ index: 0, function: legacy }],
    extra: delta['extra_content'],
  };
}

/** Several fields may hold the same reasoning: the first that has any counts. */
function reasoningOf(delta: LooseRecord, details: unknown[]): string {
  for (const field of ['reasoning_content', 'reasoning', 'thinking']) {
    const text = flatText(delta[field]);
    if (text !== '') return text;
  }
  return details.length === 0 ? '' : flatText(details);
}

/** A string, a list of strings or parts, or one part, as text. */
function flatText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(flatText).join('');
  const record = recordOf(value);
  if (record === null) return '';
  for (const field of ['text', 'summary', 'content', 'thinking']) {
    const text = flatText(record[field]);
    if (text !== '') return text;
  }
  return '';
}

/** Content as a list of parts: text, and thinking parts among it (Mistral). */
function readContentParts(content: unknown): { text: string; reasoning: string } {
  const result = { text: '', reasoning: '' };
  for (const part of listOf(content)) {
    const kind = textOf(recordOf(part)?.['type']);
    if (kind === 'thinking' || kind === 'reasoning') result.reasoning += flatText(part);
    else if (kind === '' || kind === 'text' || kind === 'output_text') result.text += flatText(part);
  }
  return result;
}

/** Token counts of a chunk; null when it carries none. */
export function readUsage(chunk: LooseRecord): Usage | null {
  const usage = recordOf(chunk['usage']) ?? recordOf(recordOf(chunk['x_groq'])?.['usage']);
  if (usage === null) return null;
  const input = numberOf(usage['prompt_tokens']) ?? numberOf(usage['input_tokens']);
  const output = numberOf(usage['completion_tokens']) ?? numberOf(usage['output_tokens']);
  if (input === null && output === null) return null;
  const cached =
    numberOf(recordOf(usage['prompt_tokens_details'])?.['cached_tokens']) ??
    numberOf(usage['prompt_cache_hit_tokens']);
  return {
    inputTokens: Math.round(input ?? 0),
    outputTokens: Math.round(output ?? 0),
    ...(cached === null ? {} : { cachedTokens: Math.round(cached) }),
  };
}

/**
 * Adds streamed reasoning_details to those before: pieces of the same index and type are one item whose text grows;
 * every other field is kept as it came last.
 */
export function mergeDetails(have: LooseRecord[], next: readonly unknown[]): void {
  for (const entry of next) {
    const piece = recordOf(entry);
    if (piece === null) continue;
    const last = have.at(-1);
    if (
      last === undefined ||
      last['index'] !== piece['index'] ||
      last['type'] !== piece['type'] ||
      piece['index'] === undefined
    ) {
      have.push({ ...piece });
      continue;
    }
    for (const [field, value] of Object.entries(piece)) {
      const grows = ['text', 'summary', 'data'].includes(field) && typeof value === 'string';
      if (grows) last[field] = textOf(last[field]) + value;
      else if (value !== null && value !== undefined) last[field] = value;
    }
  }
}
