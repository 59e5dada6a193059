import { z } from 'zod';
import { requestJson, type JsonAnswer } from './json-get';
import type { KnownModel } from './presets';

/** Most models of one provider that are kept; aggregators list hundreds. */
const MAX_MODELS = 1000;

const Tokens = z.number().positive().optional().catch(undefined);
/** One entry of a model list; servers name the context size in many ways. */
const Entry = z.object({
  id: z.string().min(1).max(300),
  type: z.string().optional().catch(undefined),
  context_length: Tokens,
  context_window: Tokens,
  max_context_length: Tokens,
  max_model_len: Tokens,
  max_input_tokens: Tokens,
  meta: z.object({ n_ctx: Tokens, n_ctx_train: Tokens }).optional().catch(undefined),
  /** OpenRouter. */
  architecture: z
    .object({ input_modalities: z.array(z.string()).optional().catch(undefined) })
    .optional()
    .catch(undefined),
  /** Mistral names what a model can as fields, Ollama and llama.cpp as words. */
  capabilities: z
    .union([z.array(z.string()), z.record(z.string(), z.unknown())])
    .optional()
    .catch(undefined),
});
const List = z.union([
  z.object({ data: z.array(z.unknown()) }),
  z.array(z.unknown()).transform((data) => ({ data })),
]);

/** The models of a parsed list; null when the value is no model list. Entries that can't be read are left out. */
export function parseModelList(value: unknown): KnownModel[] | null {
  const list = List.safeParse(value);
  if (!list.success) return null;
  const models = new Map<string, KnownModel>();
  for (const raw of list.data.data.slice(0, MAX_MODELS)) {
    const entry = Entry.safeParse(raw);
    if (!entry.success || /embed/i.test(entry.data.type ?? '')) continue;
    // Gemini prefixes its ids here and nowhere else.
    const id = entry.data.id.replace(/^models\//, '');
    const sees = sightOf(entry.data);
    models.set(id, { id, contextWindow: windowOf(entry.data), ...(sees === null ? {} : { sees }) });
  }
  return list.data.data.length > 0 && models.size === 0 ? null : [...models.values()];
}

/** Whether a model takes images as far as its entry tells. */
function sightOf({ type, architecture, capabilities }: z.infer<typeof Entry>): boolean | null {
  const modalities = architecture?.input_modalities;
  if (modalities !== undefined) return modalities.includes('image');
  // LM Studio's own list: `vlm` or `llm`.
  if (type === 'vlm' || type === 'llm') return type === 'vlm';
  if (Array.isArray(capabilities))
    return ['vision', 'multimodal'].some((word) => capabilities.includes(word)) || null;
  const vision = capabilities?.['vision'];
  return typeof vision === 'boolean' ? vision : null;
}

function windowOf(entry: z.infer<typeof Entry>): number | null {
  const size =
    entry.context_length ??
    entry.context_window ??
    entry.max_context_length ??
    entry.max_model_len ??
    entry.max_input_tokens ??
    entry.meta?.n_ctx ??
    entry.meta?.n_ctx_train;
  return size === undefined ? null : Math.floor(size);
}

/** GET `baseUrl` + `path` (default: the model list) with the key. */
export function getFrom(
  baseUrl: string,
  options: { headers: Record<string, string>; timeoutMs: number; path?: string },
): Promise<JsonAnswer> {
  const { headers, timeoutMs, path = '/models' } = options;
  return requestJson(new URL(`${baseUrl}${path}`), { headers, timeoutMs });
}
