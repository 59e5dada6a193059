import { expect, test } from 'vitest';
import { startScriptedModel } from '../../../e2e/support/scripted-model/scripted-model';
import { startCore } from '../testing/start-core';

const roles = (messages: readonly { role: string }[] = []): string[] => messages.map(({ role }) => role);

test('fault-F80: of a hundred calls in one reply 32 run, and each of the hundred has its result', async () => {
  const hundred = Array.from({ length: 100 }, () => ({ tool: 'read_file', args: { path: 'a.txt' } }));
  await using model = await startScriptedModel({ script: [{ calls: hundred }, 'Read it.'] });
  await using app = await startCore({ files: { 'a.txt': 'one\n' }, modelUrl: model.url });
  const { calls } = await app.turn('read a.txt');
  expect(calls.filter(({ state }) => state === 'success')).toHaveLength(32);
  expect(calls.filter(({ state }) => state === 'error')).toHaveLength(68);
  const results = model.requests[1]?.body.messages.filter(({ role }) => role === 'tool') ?? [];
  expect(results.map(({ tool_call_id }) => tool_call_id)).toEqual(calls.map(({ callId }) => callId));
  expect(results.at(-1)?.content).toMatch(/at most 32/);
});

test('fault-F86: a history full of unanswered calls is mended for every request, whatever left it so', async () => {
  await using model = await startScriptedModel({ script: ['Hello.', 'Here I am.'] });
  await using app = await startCore({ modelUrl: model.url });
  await app.turn('hello');
  const orphans = Array.from({ length: 40 }, (_, n) => [
    {
      id: `a${n}`,
      message: {
        role: 'assistant' as const,
        content: '',
        calls: [{ id: `lost${n}`, name: 'read_file', arguments: '{"path":"a"}' }],
      },
    },
    { id: `t${n}`, message: { role: 'tool' as const, callId: `nobody${n}`, name: 'grep', content: 'x' } },
  ]).flat();
  app.core.store.events.addMessages(app.session.id, 'lost', orphans);
  await app.close();
  await using again = await startCore({ modelUrl: model.url, home: app.home, project: app.project });
  await again.turn('hello again');
  const messages = model.requests[1]?.body.messages ?? [];
  expect(roles(messages).filter((role) => role === 'tool')).toHaveLength(40);
  messages.forEach(({ role, tool_call_id }, at) => {
    if (role !== 'tool') return;
    const before = messages[at - 1]?.tool_calls?.[0] as { id: string } | undefined;
    expect(tool_call_id).toBe(before?.id);
  });
});
