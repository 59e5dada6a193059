import type { Dialect } from './chat-request';

export interface KnownModel {
  id: string;
  /** Tokens; null = not known. */
  contextWindow: number | null;
  /** Whether it takes images, where its server says so. */
  sees?: boolean | null | undefined;
  note?: string;
}

/** How the server's real context sizes are found out, where the model list has none. */
export type LocalServer = 'ollama' | 'lmstudio' | 'llamacpp';

export interface ProviderPreset {
  id: string;
  name: string;
  kind: 'preset' | 'local';
  /** Without a trailing slash. */
  baseUrl: string;
  /** True when the base URL has a part that only the user can fill in. */
  ownUrl: boolean;
  needsKey: boolean;
  /** Page where a key is made. */
  keyUrl: string | null;
  dialect: Dialect;
  /** The header that carries the key to the model list, where that is not Authorization. */
  listKeyHeader?: string;
  /** Further headers that the model list wants. */
  listHeaders?: Record<string, string>;
  /** A path that refuses a wrong key, where the model list is open to everybody. */
  keyCheckPath?: string;
  local?: LocalServer;
  /** The first is what a new user gets. The fetched list replaces these. */
  models: readonly KnownModel[];
}

const PLAIN: Dialect = {
  usage: true,
  toolChoice: true,
  parallel: false,
  maxTokensField: 'max_tokens',
  reasoningField: null,
};

/** What a server is taken to understand until it says otherwise; custom base URLs begin with it. */
export const DEFAULT_DIALECT = PLAIN;

const OPENAI: Dialect = { ...PLAIN, parallel: true, maxTokensField: 'max_completion_tokens' };

const remote = { kind: 'preset', needsKey: true, ownUrl: false } as const;
const local = { kind: 'local', needsKey: false, ownUrl: false, keyUrl: null, models: [] } as const;

/** Sizes as the providers' model pages name them; a size learned from the server outranks them. */
export const PRESETS: readonly ProviderPreset[] = [
  {
    ...remote,
    id: 'openai',
    name: 'OpenAI',
    baseUrl: 'https://api.openai.com/v1',
    keyUrl: 'https://platform.openai.com/api-keys',
    dialect: OPENAI,
    models: [
      { id: 'gpt-5', contextWindow: 400_000 },
      { id: 'gpt-5-mini', contextWindow: 400_000 },
      { id: 'gpt-5-nano', contextWindow: 400_000 },
      { id: 'gpt-4.1', contextWindow: 1_047_576 },
      { id: 'gpt-4.1-mini', contextWindow: 1_047_576 },
      { id: 'gpt-4o', contextWindow: 128_000 },
      { id: 'gpt-4o-mini', contextWindow: 128_000 },
      { id: 'o3', contextWindow: 200_000 },
      { id: 'o4-mini', contextWindow: 200_000 },
    ],
  },
  {
    ...remote,
    id: 'azure',
    name: 'Azure OpenAI',
    ownUrl: true,
    baseUrl: 'https://YOUR-RESOURCE.openai.azure.com/openai/v1',
    keyUrl: 'https://portal.azure.com/',
    dialect: OPENAI,
    // Deployments have names of the user's own.
    models: [],
  },
  {
    ...remote,
    id: 'anthropic',
    name: 'Anthropic',
    baseUrl: 'https://api.anthropic.com/v1',
    keyUrl: 'https://console.anthropic.com/settings/keys',
    listKeyHeader: 'x-api-key',
    listHeaders: { 'anthropic-version': '2023-06-01' },
    dialect: PLAIN,
    models: [
      { id: 'claude-sonnet-4-5', contextWindow: 200_000 },
      { id: 'claude-opus-4-1', contextWindow: 200_000 },
      { id: 'claude-haiku-4-5', contextWindow: 200_000 },
    ],
  },
  {
    ...remote,
    id: 'gemini',
    name: 'Google Gemini',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
    keyUrl: 'https://aistudio.google.com/apikey',
    dialect: PLAIN,
    models: [
      { id: 'gemini-2.5-pro', contextWindow: 1_048_576 },
      { id: 'gemini-2.5-flash', contextWindow: 1_048_576 },
      { id: 'gemini-2.5-flash-lite', contextWindow: 1_048_576 },
    ],
  },
  {
    ...remote,
    id: 'deepseek',
    name: 'DeepSeek',
    baseUrl: 'https://api.deepseek.com/v1',
    keyUrl: 'https://platform.deepseek.com/api_keys',
    // Turns with tools must bring their reasoning back, else 400.
    dialect: { ...PLAIN, reasoningField: 'reasoning_content' },
    models: [
      { id: 'deepseek-chat', contextWindow: 128_000 },
      { id: 'deepseek-reasoner', contextWindow: 128_000 },
    ],
  },
  {
    ...remote,
    id: 'openrouter',
    name: 'OpenRouter',
    baseUrl: 'https://openrouter.ai/api/v1',
    keyUrl: 'https://openrouter.ai/settings/keys',
    keyCheckPath: '/key',
    dialect: PLAIN,
    models: [
      { id: 'anthropic/claude-sonnet-4.5', contextWindow: 200_000 },
      { id: 'openai/gpt-5', contextWindow: 400_000 },
      { id: 'google/gemini-2.5-pro', contextWindow: 1_048_576 },
    ],
  },
  {
    ...remote,
    id: 'groq',
    name: 'Groq',
    baseUrl: 'https://api.groq.com/openai/v1',
    keyUrl: 'https://console.groq.com/keys',
    dialect: { ...PLAIN, parallel: true, maxTokensField: 'max_completion_tokens' },
    models: [
      { id: 'openai/gpt-oss-120b', contextWindow: 131_072 },
      { id: 'openai/gpt-oss-20b', contextWindow: 131_072 },
      { id: 'llama-3.3-70b-versatile', contextWindow: 131_072 },
    ],
  },
  {
    ...local,
    id: 'ollama',
    name: 'Ollama',
    baseUrl: 'http://127.0.0.1:11434/v1',
    local: 'ollama',
    // tool_choice is not among the fields its documentation lists.
    dialect: { ...PLAIN, toolChoice: false },
  },
  {
    ...local,
    id: 'lmstudio',
    name: 'LM Studio',
    baseUrl: 'http://127.0.0.1:1234/v1',
    local: 'lmstudio',
    dialect: PLAIN,
  },
  {
    ...local,
    id: 'llamacpp',
    name: 'llama.cpp',
    baseUrl: 'http://127.0.0.1:8080/v1',
    local: 'llamacpp',
    dialect: PLAIN,
  },
];

export const presetById = (id: string): ProviderPreset | null =>
  PRESETS.find((preset) => preset.id === id) ?? null;

/** The size of a well-known model by its name alone, also dated (`…-2025-08-07`) or behind a vendor (`openai/…`). */
export function knownWindow(model: string): number | null {
  const bare = model.slice(model.lastIndexOf('/') + 1);
  const known = PRESETS.flatMap((preset) => preset.models)
    .map(({ id, contextWindow }) => ({ id: id.slice(id.lastIndexOf('/') + 1), contextWindow }))
    .filter(({ id }) => bare === id || bare.startsWith(`${id}-`))
    .toSorted((a, b) => b.id.length - a.id.length);
  return known[0]?.contextWindow ?? null;
}
