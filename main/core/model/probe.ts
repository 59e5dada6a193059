import { z } from 'zod';
import { requestJson } from './json-get';
import { parseModelList } from './model-list';
import type { KnownModel, LocalServer } from './presets';

/** A local server answers at once or is not there. */
export const PROBE_MS = 1000;
/** What Ollama loads a model with unless told otherwise; longer prompts lose their beginning without a word. */
const OLLAMA_DEFAULT_WINDOW = 4096;

const Tags = z.object({ models: z.array(z.object({ name: z.string().min(1) })) });
const Running = z.object({
  models: z.array(z.object({ name: z.string(), context_length: z.number().positive().optional() })),
});
const Show = z.object({
  parameters: z.string().optional().catch(undefined),
  model_info: z.record(z.string(), z.unknown()).optional().catch(undefined),
  capabilities: z.array(z.string()).optional().catch(undefined),
});
const LmModels = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      type: z.string().optional(),
      loaded_context_length: z.number().positive().optional(),
      max_context_length: z.number().positive().optional(),
    }),
  ),
});
const Props = z.object({
  default_generation_settings: z.object({ n_ctx: z.number().positive() }).optional().catch(undefined),
  modalities: z.object({ vision: z.boolean() }).optional().catch(undefined),
});

/** What a local server says of a model; null where it says nothing. */
export interface LocalFacts {
  /** The context size that it really gives it, in tokens. */
  window: number | null;
  /** Whether it takes images. */
  sees: boolean | null;
}

const NOTHING: LocalFacts = { window: null, sees: null };

/**
 * Asks a local server for its models within a second; null when it is not there or is something else.
 *
 * @param baseUrl with /v1
 */
export async function probeLocal(
  server: LocalServer,
  baseUrl: string,
  timeoutMs = PROBE_MS,
): Promise<KnownModel[] | null> {
  try {
    return server === 'ollama' ? await ollamaTags(baseUrl, timeoutMs) : await openAiList(baseUrl, timeoutMs);
  } catch {
    // Nothing listening is the usual answer and no failure.
    return null;
  }
}

async function openAiList(baseUrl: string, timeoutMs: number): Promise<KnownModel[] | null> {
  const { status, value } = await requestJson(new URL(`${baseUrl}/models`), { timeoutMs });
  return status === 200 ? parseModelList(value) : null;
}

async function ollamaTags(baseUrl: string, timeoutMs: number): Promise<KnownModel[] | null> {
  const tags = Tags.safeParse((await requestJson(native(baseUrl, '/api/tags'), { timeoutMs })).value);
  return tags.success ? tags.data.models.map(({ name }) => ({ id: name, contextWindow: null })) : null;
}

/** The server's own interface beside its OpenAI-compatible one. */
const native = (baseUrl: string, path: string): URL => new URL(path, new URL(baseUrl).origin);

/**
 * Asks a local server about one of its models. Never throws: a server that does not answer is met again, with a proper
 * message, when the request is sent.
 */
export async function askLocalServer(
  server: LocalServer,
  baseUrl: string,
  model: string,
  timeoutMs = 500,
): Promise<LocalFacts> {
  try {
    switch (server) {
      case 'ollama':
        return await askOllama(baseUrl, model, timeoutMs);
      case 'lmstudio':
        return await askLmStudio(baseUrl, model, timeoutMs);
      case 'llamacpp':
        return await askLlamaCpp(baseUrl, timeoutMs);
    }
  } catch {
    return NOTHING;
  }
}

async function askOllama(baseUrl: string, model: string, timeoutMs: number): Promise<LocalFacts> {
  const [running, shown] = await Promise.all([
    requestJson(native(baseUrl, '/api/ps'), { timeoutMs }),
    requestJson(native(baseUrl, '/api/show'), { timeoutMs, body: { model } }),
  ]);
  const show = Show.safeParse(shown.value).data;
  // Older servers don't say what a model can.
  const sees = show?.capabilities?.includes('vision') ?? null;
  const loaded = Running.safeParse(running.value).data?.models.find(
    ({ name }) => name === model,
  )?.context_length;
  if (loaded !== undefined) return { window: loaded, sees };
  if (show === undefined) return NOTHING;
  const set = /^\s*num_ctx\s+(\d+)/m.exec(show.parameters ?? '')?.[1];
  const trained = Object.entries(show.model_info ?? {}).find(([key]) => key.endsWith('.context_length'))?.[1];
  const window = set === undefined ? OLLAMA_DEFAULT_WINDOW : Number(set);
  return { window: typeof trained === 'number' ? Math.min(window, trained) : window, sees };
}

async function askLmStudio(baseUrl: string, model: string, timeoutMs: number): Promise<LocalFacts> {
  const answer = await requestJson(native(baseUrl, '/api/v0/models'), { timeoutMs });
  const entry = LmModels.safeParse(answer.value).data?.data.find(({ id }) => id === model);
  const sees = entry?.type === 'vlm' ? true : entry?.type === 'llm' ? false : null;
  return { window: entry?.loaded_context_length ?? entry?.max_context_length ?? null, sees };
}

async function askLlamaCpp(baseUrl: string, timeoutMs: number): Promise<LocalFacts> {
  const props = Props.safeParse((await requestJson(native(baseUrl, '/props'), { timeoutMs })).value).data;
  return {
    window: props?.default_generation_settings?.n_ctx ?? null,
    sees: props?.modalities?.vision ?? null,
  };
}
