import { expect, test } from 'vitest';
import type { ProviderInfo } from '../../../shared/contract/model';
import { modelOptions } from './model-options';

const provider = (id: string, models: string[], rest: Partial<ProviderInfo> = {}): ProviderInfo => ({
  id,
  name: id.toUpperCase(),
  kind: 'preset',
  baseUrl: '',
  hasKey: true,
  needsKey: true,
  configured: true,
  reachable: null,
  models: models.map((model) => ({ id: model, contextWindow: 128_000 })),
  keyUrl: null,
  ...rest,
});

test('the default stands first, then the models of providers that can answer', () => {
  const providers = [
    provider('openai', ['gpt-x']),
    provider('groq', ['llama'], { configured: false }),
    provider('ollama', ['qwen'], { reachable: false }),
  ];
  expect(modelOptions(providers, 'openai/gpt-x', '').map(({ value }) => value)).toEqual([
    null,
    'openai/gpt-x',
  ]);
});

test('every word of the search must be in the provider or the model', () => {
  const providers = [provider('openrouter', ['qwen/qwen3-coder', 'meta/llama'])];
  expect(modelOptions(providers, null, 'openr cod').map(({ label }) => label)).toEqual(['qwen/qwen3-coder']);
});

test('models that see images are marked, others are not', () => {
  const models = [true, false, null].map((sees) => ({ id: String(sees), contextWindow: null, sees }));
  const options = modelOptions([provider('x', [], { models })], null, '');
  expect(options.map(({ label, sees }) => [label, sees])).toEqual([
    ['true', true],
    ['false', undefined],
    ['null', undefined],
  ]);
});
