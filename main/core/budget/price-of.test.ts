import { expect, test } from 'vitest';
import { costMicros, priceOf } from './price-of';

test('prices: the user’s own come first, the exact name before the model before a pattern', () => {
  const own = {
    'openai/gpt-5': { input: 1, output: 1 },
    'gpt-5': { input: 2, output: 2 },
    'acme/*': { input: 3, output: 3 },
    'acme/big*': { input: 4, output: 4 },
  };
  expect(priceOf('openai/gpt-5', false, own)?.input).toBe(1);
  expect(priceOf('azure/gpt-5', false, own)?.input).toBe(2);
  expect(priceOf('acme/small', false, own)?.input).toBe(3);
  expect(priceOf('acme/bigger', false, own)?.input).toBe(4);
});

test('prices: dated names, other sellers and other spellings have the list price; local models are free', () => {
  expect(priceOf('openai/gpt-5-mini-2025-08-07', false, {})).toMatchObject({ input: 0.25, output: 2 });
  expect(priceOf('openrouter/anthropic/claude-sonnet-4.5', false, {})).toMatchObject({ input: 3 });
  expect(priceOf('openrouter/openai/gpt-5', false, {})).toMatchObject({ input: 1.25 });
  expect(priceOf('openai/gpt-5.9-unheard-of', false, {})).toBeNull();
  expect(priceOf('ollama/qwen3', true, {})).toEqual({ input: 0, output: 0 });
  expect(priceOf('ollama/qwen3', true, { qwen3: { input: 1, output: 2 } })).toMatchObject({ input: 1 });
});

test('a cost counts cached input at its own price and is rounded up to a millionth of a dollar', () => {
  const price = { input: 1.25, cached: 0.125, output: 10 };
  expect(costMicros({ inputTokens: 1_000, outputTokens: 100 }, price)).toBe(2_250);
  expect(costMicros({ inputTokens: 1_000, outputTokens: 100, cachedTokens: 800 }, price)).toBe(1_350);
  expect(costMicros({ inputTokens: 1, outputTokens: 0 }, { input: 0.05, output: 1 })).toBe(1);
  expect(costMicros({ inputTokens: 10, outputTokens: 0, cachedTokens: 99 }, price)).toBe(2);
  expect(costMicros({ inputTokens: 7, outputTokens: 7 }, { input: 0, output: 0 })).toBe(0);
});
