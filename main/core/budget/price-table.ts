import type { PriceTable } from '../../../shared/model/budget';

/**
 * List prices of well-known models in US dollars per million tokens, as their makers published them in autumn 2025. The
 * setting `chat.budget.prices` comes before this table; it is also where prices go that are not here.
 */
export const LIST_PRICES: PriceTable = {
  'gpt-5': { input: 1.25, cached: 0.125, output: 10 },
  'gpt-5-mini': { input: 0.25, cached: 0.025, output: 2 },
  'gpt-5-nano': { input: 0.05, cached: 0.005, output: 0.4 },
  'gpt-5-codex': { input: 1.25, cached: 0.125, output: 10 },
  'gpt-4.1': { input: 2, cached: 0.5, output: 8 },
  'gpt-4.1-mini': { input: 0.4, cached: 0.1, output: 1.6 },
  'gpt-4.1-nano': { input: 0.1, cached: 0.025, output: 0.4 },
  'gpt-4o': { input: 2.5, cached: 1.25, output: 10 },
  'gpt-4o-mini': { input: 0.15, cached: 0.075, output: 0.6 },
  o3: { input: 2, cached: 0.5, output: 8 },
  'o4-mini': { input: 1.1, cached: 0.275, output: 4.4 },
  'claude-opus-4-1': { input: 15, cached: 1.5, output: 75 },
  'claude-sonnet-4-5': { input: 3, cached: 0.3, output: 15 },
  'claude-sonnet-4': { input: 3, cached: 0.3, output: 15 },
  'claude-haiku-4-5': { input: 1, cached: 0.1, output: 5 },
  'gemini-2.5-pro': { input: 1.25, cached: 0.125, output: 10 },
  'gemini-2.5-flash': { input: 0.3, cached: 0.03, output: 2.5 },
  'gemini-2.5-flash-lite': { input: 0.1, cached: 0.01, output: 0.4 },
  'deepseek-chat': { input: 0.28, cached: 0.028, output: 0.42 },
  'deepseek-reasoner': { input: 0.28, cached: 0.028, output: 0.42 },
  'groq/openai/gpt-oss-120b': { input: 0.15, cached: 0.075, output: 0.6 },
  'groq/openai/gpt-oss-20b': { input: 0.075, cached: 0.0375, output: 0.3 },
  'groq/llama-3.3-70b-versatile': { input: 0.59, output: 0.79 },
};
