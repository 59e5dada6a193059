import { expect, test } from 'vitest';
import { calls } from '../../../e2e/support/scripted-model/script-reply';
import { startScriptedModel, type ScriptedModel } from '../../../e2e/support/scripted-model/scripted-model';
import { startCore } from '../testing/start-core';

const toolsOf = (model: ScriptedModel, request: number): string[] =>
  model.requests[request]?.body.tools?.map((tool) => tool.function.name) ?? [];

const REVIEWER = `---
name: reviewer
description: reads and judges
tools: read_file, grep
max_steps: 7
---
Judge harshly.`;

test('A1: an agent of the project gives tools, cap and text; a tool it lacks is refused at dispatch', async () => {
  await using model = await startScriptedModel({
    script: [calls('write_file', { path: 'a.txt', content: 'x' }), 'I can not.', 'As agent again.'],
  });
  await using app = await startCore({
    files: { '.lathe/agents/reviewer.md': REVIEWER, '.lathe/agents/broken.md': '# no front matter' },
    modelUrl: model.url,
    approve: 'allow_once',
  });
  expect(app.core.settings.state().problems.join()).toContain('broken.md, line 1');
  expect(app.core.sessions.configure(app.session.id, { agent: 'reviewer' })).toMatchObject({
    agent: 'reviewer',
    mode: 'agent',
  });
  const turn = await app.turn('judge a.txt');
  expect(turn.calls).toMatchObject([{ tool: 'write_file', state: 'denied', by: 'mode' }]);
  await expect(app.read('a.txt')).rejects.toThrow();
  expect(toolsOf(model, 0)).toEqual(['read_file', 'grep', 'attempt_completion']);
  expect(String(model.requests[0]?.body.messages[0]?.content)).toContain('Judge harshly.');
  expect(turn.events.find((event) => event.type === 'step.started')).toMatchObject({ maxSteps: 7 });
  expect(turn.events.find((event) => event.type === 'turn.started')).toMatchObject({ agent: 'reviewer' });

  expect(String(model.requests[0]?.body.messages[0]?.content)).not.toContain('More agents');
  app.core.sessions.configure(app.session.id, { mode: 'agent' });
  await app.turn('and now');
  expect(String(model.requests[2]?.body.messages[0]?.content)).toContain('- reviewer: reads and judges');
  expect(toolsOf(model, 2)).toContain('write_file');
  expect(String(model.requests[2]?.body.messages[0]?.content)).not.toContain('Judge harshly.');
});

test('H2, P5: explore reads only and has 15 steps, general has 20; a write of explore changes nothing', async () => {
  await using model = await startScriptedModel({
    script: [calls('run_command', { command: 'touch made' }), 'Seen.', 'Done.'],
  });
  await using app = await startCore({ modelUrl: model.url, approve: 'allow_once' });
  app.core.sessions.configure(app.session.id, { agent: 'explore' });
  const explored = await app.turn('look');
  expect(explored.calls).toMatchObject([{ state: 'denied', by: 'mode' }]);
  expect(explored.events.find((event) => event.type === 'step.started')).toMatchObject({ maxSteps: 15 });
  await expect(app.read('made')).rejects.toThrow();
  app.core.sessions.configure(app.session.id, { agent: 'general' });
  const general = await app.turn('do');
  expect(general.events.find((event) => event.type === 'step.started')).toMatchObject({ maxSteps: 20 });
});

test('A1: an unknown agent is refused with the names there are, and the session stays as it was', async () => {
  await using model = await startScriptedModel();
  await using app = await startCore({ modelUrl: model.url });
  expect(() => app.core.sessions.configure(app.session.id, { agent: 'nobody' })).toThrow(
    expect.objectContaining({ code: 'not_found' }),
  );
  expect(app.core.sessions.get(app.session.id)).toMatchObject({ agent: null, mode: 'agent' });
  expect(app.core.sessions.configure(app.session.id, { agent: 'build' })).toMatchObject({
    agent: null,
    mode: 'agent',
  });
  expect(app.core.sessions.create({ mode: 'agent', model: null, agent: 'plan' })).toMatchObject({
    agent: null,
    mode: 'plan',
  });
});
