import { expect, test } from 'vitest';
import type { ModelDirectory } from '../model/port';
import { ScriptedProvider } from '../model/scripted-provider';
import { MODE_AGENTS } from './agent';
import { resolveForAgent } from './agent-model';

/** Two providers; `home` is in use. */
const models: ModelDirectory = {
  resolve: (name) => {
    const [id = 'home', model = 'usual'] = (name ?? 'home/usual').split('/');
    const provider = new ScriptedProvider({ id, name: id, script: () => ({ text: '' }) });
    return Promise.resolve({ provider, model, contextWindow: 1000, reason: 'default' });
  },
  learnContextWindow: () => undefined,
};
const agent = (model: string, origin: 'user' | 'project') => ({
  ...MODE_AGENTS.agent,
  name: 'x',
  model,
  origin,
});
const chosenFor = async (
  chosen: string | null,
  model: string,
  origin: 'user' | 'project',
): Promise<string> => {
  const resolved = await resolveForAgent(models, chosen, agent(model, origin));
  return `${resolved.provider.id}/${resolved.model}`;
};

test('A1: the session’s own model comes first, then the agent’s, then the default', async () => {
  expect(await chosenFor('other/big', 'other/small', 'user')).toBe('other/big');
  expect(await chosenFor(null, 'other/small', 'user')).toBe('other/small');
  expect((await resolveForAgent(models, null, MODE_AGENTS.plan)).model).toBe('usual');
});

test('A1: a project can choose another model, but not another provider to send the project to', async () => {
  expect(await chosenFor(null, 'home/small', 'project')).toBe('home/small');
  expect(await chosenFor(null, 'other/small', 'project')).toBe('home/usual');
});
