import { expect, test } from 'vitest';
import { shortProvider, splitModel } from './model-name';

test('a model keeps the slashes of its own name', () => {
  expect(splitModel('openrouter/qwen/qwen3-coder')).toEqual({
    provider: 'openrouter',
    model: 'qwen/qwen3-coder',
  });
  expect(splitModel('qwen3-coder')).toEqual({ provider: '', model: 'qwen3-coder' });
});

test('a provider is short without its address', () => {
  expect(shortProvider('Command line (127.0.0.1:41234)')).toBe('Command line');
  expect(shortProvider('LM Studio')).toBe('LM Studio');
  expect(shortProvider('(local)')).toBe('(local)');
});
