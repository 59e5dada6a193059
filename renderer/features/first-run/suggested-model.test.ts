import { expect, test } from 'vitest';
import { suggestedModel } from './suggested-model';

const server = (...ids: string[]) => ({ models: ids.map((id) => ({ id, contextWindow: null })) });

test('a coder model goes before a general one, an embedding model never', () => {
  expect(suggestedModel(server('nomic-embed-text', 'llama3.2', 'qwen3-coder:30b'))).toBe('qwen3-coder:30b');
  expect(suggestedModel(server('nomic-embed-text'))).toBeNull();
});

test('what the host marked wins, and any chat model is better than none', () => {
  const marked = {
    models: [
      { id: 'a', contextWindow: null },
      { id: 'b', contextWindow: null, note: 'best' },
    ],
  };
  expect(suggestedModel(marked)).toBe('b');
  expect(suggestedModel(server('phi4'))).toBe('phi4');
});
