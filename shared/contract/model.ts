import { z } from 'zod';
import { SessionId } from '../model/ids';
import { domain, event, Nothing, request } from './define';

export const ProviderInfo = z.object({
  /** Stable id: a preset's (`openai`, `ollama` …), `custom-1` … or `tour`. */
  id: z.string(),
  name: z.string(),
  kind: z.enum(['preset', 'local', 'custom', 'scripted']),
  baseUrl: z.string(),
  /** True when a key is stored. The key itself never leaves the host. */
  hasKey: z.boolean(),
  needsKey: z.boolean(),
  configured: z.boolean(),
  /** For local servers: whether the probe reached it just now. */
  reachable: z.boolean().nullable(),
  models: z.array(
    z.object({
      id: z.string(),
      contextWindow: z.int().nullable(),
      /** Whether it takes images; null or absent: not known. */
      sees: z.boolean().nullable().optional(),
      note: z.string().optional(),
    }),
  ),
  keyUrl: z.string().nullable(),
});
export type ProviderInfo = z.infer<typeof ProviderInfo>;

export const ProviderCheck = z.object({
  ok: z.boolean(),
  message: z.string(),
  hint: z.string().nullable(),
  latencyMs: z.number().nullable(),
  models: z.array(
    z.object({
      id: z.string(),
      contextWindow: z.int().nullable(),
      sees: z.boolean().nullable().optional(),
    }),
  ),
});
export type ProviderCheck = z.infer<typeof ProviderCheck>;

export const model = domain('model', {
  providers: request({ input: Nothing, output: z.array(ProviderInfo) }),
  /** Tries base URL and key for real (models list, then nothing else) without storing them. */
  check: request({
    input: z.object({
      providerId: z.string(),
      baseUrl: z.string().max(2048).optional(),
      apiKey: z.string().max(4096).optional(),
    }),
    output: ProviderCheck,
  }),
  /** Stores base URL and key; a missing `apiKey` keeps the stored one, '' removes it. */
  configure: request({
    input: z.object({
      providerId: z.string().nullable(),
      name: z.string().max(80).optional(),
      baseUrl: z.string().max(2048).optional(),
      apiKey: z.string().max(4096).optional(),
    }),
    output: ProviderInfo,
  }),
  remove: request({ input: z.object({ providerId: z.string() }), output: Nothing }),
  /** Looks for Ollama, LM Studio and llama.cpp on loopback. */
  probe: request({ input: Nothing, output: z.array(ProviderInfo) }),
  /** Whether the model that would answer in a session (null: in a new one, with this model) takes images; null: not known. */
  sight: request({
    input: z.object({ sessionId: SessionId.nullable(), model: z.string().max(300).nullable() }),
    output: z.object({ sees: z.boolean().nullable() }),
  }),
  refreshModels: request({ input: z.object({ providerId: z.string() }), output: ProviderCheck }),
  /** The default model as `provider/model`; null when none is set up. */
  getDefault: request({ input: Nothing, output: z.object({ model: z.string().nullable() }) }),
  setDefault: request({ input: z.object({ model: z.string().nullable() }), output: Nothing }),
  changed: event({ params: Nothing, payload: z.array(ProviderInfo) }),
});
