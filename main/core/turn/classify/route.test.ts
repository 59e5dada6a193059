import { expect, test } from 'vitest';
import { AppError } from '../../../../shared/error';
import { routeModel } from '../../model/route-model';
import type { ModelDirectory, ResolvedModel } from '../../model/port';
import { ScriptedProvider } from '../../model/scripted-provider';
import { classifyByWords } from './heuristics';
import { wishFor } from './route';

const provider = new ScriptedProvider({ script: [] });
const resolved = (model: string, reason: string): ResolvedModel => ({
  provider,
  model,
  contextWindow: 1,
  reason,
});
const models: ModelDirectory = {
  resolve: (name) =>
    name === 'p/gone'
      ? Promise.reject(new AppError('no_model', 'gone'))
      : Promise.resolve(resolved(name ?? 'main', 'chosen in the session')),
  learnContextWindow: () => undefined,
};
const usual = () => Promise.resolve(resolved('main', 'default'));
const route = async (text: string, errors = 0, routes = { fast: 'p/fast', flagship: 'p/big' }) => {
  const { model, reason } = await routeModel(models, usual, wishFor(classifyByWords(text), errors), routes);
  return [model, reason];
};

test('H14: fast for simple, flagship for complex and after failed calls, main otherwise; the reason says why', async () => {
  expect(await route('Fix the typo in README.md')).toEqual([
    'p/fast',
    'auto: the fast model for a simple request',
  ]);
  expect(await route('Add unit tests for utils/date.ts')).toEqual([
    'main',
    'auto: the main model for a request of medium size',
  ]);
  expect(await route('Migrate the whole codebase from Jest to Vitest')).toEqual([
    'p/big',
    'auto: the flagship model for a complex request',
  ]);
  expect(await route('Fix the typo in README.md', 2)).toEqual([
    'p/big',
    'auto: the flagship model after 2 failed calls',
  ]);
});

test('H14: a model that is not set up is stood in for by the main one, and that is said', async () => {
  const [model, reason] = await route('hi', 0, { fast: 'p/gone', flagship: '' });
  expect(model).toBe('main');
  expect(reason).toContain("the fast model p/gone can't be used");
});

test('H14: without models to choose from nothing is routed', async () => {
  expect(await route('hi', 0, { fast: '', flagship: '' })).toEqual(['main', 'default']);
  expect((await routeModel(models, usual, undefined, { fast: 'p/fast', flagship: '' })).model).toBe('main');
});

test('H14: unclassified turns run on the main model', () => {
  expect(wishFor(null, 0).tier).toBe('main');
});
