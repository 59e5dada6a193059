import { expect, test } from 'vitest';
import { PRESETS } from './presets';
import { sightByName, sightBySetting } from './sight';

test('every model of the presets is known to see or not to see', () => {
  const known = PRESETS.flatMap(({ models }) => models.map(({ id }) => [id, sightByName(id)] as const));
  expect(known.filter(([, sees]) => sees === null)).toEqual([]);
  expect(known.filter(([, sees]) => sees === false).map(([id]) => id)).toEqual([
    'deepseek-chat',
    'deepseek-reasoner',
    'openai/gpt-oss-120b',
    'openai/gpt-oss-20b',
    'llama-3.3-70b-versatile',
  ]);
});

test('names tell of sight behind a vendor, dated, and in any case; of other names nothing is claimed', () => {
  const seeing = [
    'anthropic/claude-sonnet-4.5',
    'gpt-4o-2024-08-06',
    'o4-mini',
    'Qwen/Qwen2.5-VL-7B-Instruct',
    'llava:13b',
    'gemma3:12b',
    'llama-3.2-90b-vision-preview',
    'pixtral-12b',
  ];
  const blind = [
    'o3-mini',
    'gpt-3.5-turbo',
    'gemma3:1b',
    'qwen2.5-coder:7b',
    'deepseek-r1:8b',
    'llama3.1:8b',
  ];
  expect(seeing.filter((name) => sightByName(name) !== true)).toEqual([]);
  expect(blind.filter((name) => sightByName(name) !== false)).toEqual([]);
  expect(['mock', 'my-deployment', 'qwen3:8b'].map(sightByName)).toEqual([null, null, null]);
});

test('the setting names models by pattern, the last one decides, ! takes sight away', () => {
  expect(sightBySetting('', 'ollama', 'x')).toBeNull();
  expect(sightBySetting('my-*', 'azure', 'my-gpt')).toBe(true);
  expect(sightBySetting('azure/*, !azure/text-*', 'azure', 'text-1')).toBe(false);
  expect(sightBySetting('*', 'ollama', 'a/b.c')).toBe(true);
  expect(sightBySetting('a.c', 'ollama', 'abc')).toBeNull();
  expect(sightBySetting('x,MOCK', 'ollama', 'mock')).toBe(true);
});
