import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { calls } from '../../../e2e/support/scripted-model/script-reply';
import { startScriptedModel } from '../../../e2e/support/scripted-model/scripted-model';
import { isAlive } from '../testing/is-alive';
import { startCore } from '../testing/start-core';

const lastMessage = (model: Awaited<ReturnType<typeof startScriptedModel>>, request: number) =>
  model.requests[request]?.body.messages.at(-1);

test('an approved edit lands, yields a diff and the turn ends with the answer', async () => {
  await using model = await startScriptedModel({
    script: [
      calls('read_file', { path: 'a.ts' }),
      calls('edit_file', { path: 'a.ts', old_string: 'one', new_string: 'two' }),
      'Changed.',
    ],
  });
  await using app = await startCore({
    files: { 'a.ts': 'one\n' },
    modelUrl: model.url,
    approve: 'allow_once',
  });
  const { calls: made, end } = await app.turn('change one to two');
  expect(await app.read('a.ts')).toBe('two\n');
  expect(made.map(({ tool, state }) => [tool, state])).toEqual([
    ['read_file', 'success'],
    ['edit_file', 'success'],
  ]);
  expect(made[1]?.diffs[0]?.diff).toMatchObject({ path: 'a.ts', additions: 1, deletions: 1 });
  expect(end).toMatchObject({ reason: 'done', text: 'Changed.' });
  expect(app.core.sessions.get(app.session.id)).toMatchObject({
    title: 'change one to two',
    activity: 'idle',
  });
});

test('a denied write leaves the file as it was and tells the model who refused', async () => {
  await using model = await startScriptedModel({
    script: [calls('write_file', { path: 'a.ts', content: 'two' }), 'I left it alone.'],
  });
  await using app = await startCore({ files: { 'a.ts': 'one' }, modelUrl: model.url, approve: 'deny' });
  const turn = await app.turn('rewrite a.ts');
  expect(await app.read('a.ts')).toBe('one');
  expect(turn.calls).toMatchObject([{ state: 'denied', by: 'user' }]);
  expect(lastMessage(model, 1)).toMatchObject({
    role: 'tool',
    content: expect.stringMatching(/user/i) as string,
  });
});

test('fault-F81: after a refusal the rest of the reply is skipped, in order', async () => {
  await using model = await startScriptedModel({
    script: [
      {
        calls: ['a', 'b', 'c'].map((name) => ({
          tool: 'write_file',
          args: { path: `${name}.txt`, content: name },
        })),
      },
      'ok',
    ],
  });
  let asked = 0;
  const approve = () => ((asked += 1) === 2 ? ('deny' as const) : ('allow_once' as const));
  await using app = await startCore({ modelUrl: model.url, approve });
  const turn = await app.turn('write three');
  expect(turn.calls.map(({ state }) => state)).toEqual(['success', 'denied', 'cancelled']);
  const results = model.requests[1]?.body.messages.filter((message) => message.role === 'tool');
  expect(results).toHaveLength(3);
  expect(results?.[2]?.content).toMatch(/skipped/i);
});

test('P5: a tool that the mode forbids is refused even if the model calls it', async () => {
  await using model = await startScriptedModel({
    script: [calls('write_file', { path: 'a.txt', content: 'x' }), 'no'],
  });
  await using app = await startCore({ modelUrl: model.url, approve: 'allow_once' });
  app.core.sessions.configure(app.session.id, { mode: 'plan' });
  const turn = await app.turn('plan it');
  expect(turn.calls).toMatchObject([{ state: 'denied', by: 'mode' }]);
  expect(model.requests[0]?.body.tools?.map((tool) => tool.function.name)).not.toContain('write_file');
  await expect(app.read('a.txt')).rejects.toThrow();
});

test('H11: an interjection reaches the model before its next request', async () => {
  await using model = await startScriptedModel({
    script: [calls('write_file', { path: 'a.txt', content: 'x' }), 'Understood.'],
  });
  await using app = await startCore({ modelUrl: model.url });
  app.core.approvals.onChange((pending) => {
    for (const { id } of pending) {
      app.core.turns.interject(app.session.id, 'Use tabs.');
      queueMicrotask(() => app.core.approvals.reply(id, 'allow_once', 'user'));
    }
  });
  const turn = await app.turn('write');
  expect(lastMessage(model, 1)).toMatchObject({ role: 'user', content: 'Use tabs.' });
  expect(turn.view.items.some((item) => item.kind === 'user' && item.interjection)).toBe(true);
});

test('H11: stop ends the turn at once while text streams, keeps what was shown, and the next message works', async () => {
  await using model = await startScriptedModel({
    script: [{ text: 'half of an answer', holdAfterChars: 8 }, 'Next.'],
  });
  await using app = await startCore({ modelUrl: model.url });
  const shown = app.event((event) => event.type === 'text.delta');
  app.core.turns.start({ sessionId: app.session.id, text: 'go' });
  await shown;
  // Nothing else would end it: the model holds the rest back.
  await app.core.turns.stop(app.session.id);
  await expect.poll(() => model.requests[0]?.aborted).toBe(true);
  const { end, view } = await app.turn('again');
  expect(end).toMatchObject({ reason: 'done', text: 'Next.' });
  expect(view.items.find((item) => item.kind === 'end')).toMatchObject({ reason: 'stopped' });
  const roles = model.requests[1]?.body.messages.map(({ role, content }) => [role, content]).slice(1);
  expect(roles).toEqual([
    ['user', 'go'],
    ['assistant', expect.stringMatching(/^half of/) as string],
    ['user', 'again'],
  ]);
});

test('fault-H06: stop while a command runs kills it, and the history stays valid', async () => {
  await using model = await startScriptedModel({
    script: [calls('run_command', { command: 'echo $$; exec sleep 60' }), 'Back.'],
  });
  await using app = await startCore({ modelUrl: model.url, approve: 'allow_once' });
  const output = app.event((event) => event.type === 'call.output');
  app.core.turns.start({ sessionId: app.session.id, text: 'sleep' });
  const shown = await output;
  const pid = Number(shown.type === 'call.output' ? shown.text : 'none');
  expect(isAlive(pid)).toBe(true);
  await app.core.turns.stop(app.session.id);
  await expect.poll(() => isAlive(pid)).toBe(false);
  const { end, calls: made } = await app.turn('and now?');
  expect(end.reason).toBe('done');
  expect(made[0]?.state).toBe('cancelled');
  const messages = model.requests[1]?.body.messages ?? [];
  expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'user']);
});

test('fault-F17: a dropped stream keeps the text; Continue goes on from it, Retry asks again without it', async () => {
  await using model = await startScriptedModel({
    script: [
      { text: 'The first half of it and more', dropAfterChars: 14 },
      'and the rest.',
      { text: 'Another try breaks here', dropAfterChars: 10 },
      'Whole.',
    ],
  });
  await using app = await startCore({ modelUrl: model.url });
  const first = await app.turn('explain');
  expect(first.end).toMatchObject({
    reason: 'error',
    // Also when the whole of it came and went before it was stored.
    steps: 1,
    error: { code: expect.stringMatching(/^provider_/) as string },
  });
  const ended = app.event((event) => event.type === 'turn.finished');
  app.core.turns.resume(app.session.id, 'continue');
  expect(await ended).toMatchObject({ reason: 'done', text: 'and the rest.' });
  expect(model.requests[1]?.body.messages.slice(-2)).toMatchObject([
    { role: 'assistant', content: expect.stringContaining('The first') as string },
    { role: 'user' },
  ]);
  await app.turn('more');
  const again = app.event((event) => event.type === 'turn.finished');
  app.core.turns.resume(app.session.id, 'retry');
  expect(await again).toMatchObject({ reason: 'done', text: 'Whole.' });
  expect(lastMessage(model, 3)).toMatchObject({ role: 'user', content: 'more' });
});

test('H9: at the cap one last request without tools writes the summary; when it fails, the activity is summed up here', async () => {
  await using model = await startScriptedModel({
    script: [calls('list_dir', {}), 'Looked around; nothing changed.'],
    otherwise: { status: 400, body: { error: { message: 'no' } } },
  });
  await using app = await startCore({ modelUrl: model.url, maxSteps: 1 });
  const first = await app.turn('look');
  expect(first.end).toMatchObject({ reason: 'step_limit', text: 'Looked around; nothing changed.' });
  expect(model.requests[1]?.body.tool_choice).toBe('none');
  model.push(calls('list_dir', {}));
  const second = await app.turn('look again');
  expect(second.end.text).toMatch(/list_dir × 1/);
});

test('H10: reads of one reply run together, writes after them in order, results come back in call order', async () => {
  const one = { tool: 'write_file', args: { path: 'a.txt', content: '1' } };
  await using model = await startScriptedModel({
    script: [
      { calls: [one, { tool: 'read_file', args: { path: 'b.txt' } }, { tool: 'list_dir', args: {} }] },
      'ok',
    ],
  });
  await using app = await startCore({ files: { 'b.txt': 'b' }, modelUrl: model.url, approve: 'allow_once' });
  const { events } = await app.turn('go');
  const finals = events.flatMap((event) =>
    event.type === 'call.state' && event.state === 'success' ? event.tool : [],
  );
  expect(finals.at(-1)).toBe('write_file');
  const ids = model.requests[1]?.body.messages.flatMap((message) => message.tool_call_id ?? []);
  expect(ids).toEqual(['call_1', 'call_2', 'call_3']);
});

test('H16: an answer cut by the output limit is continued in the same message', async () => {
  await using model = await startScriptedModel({ script: [{ text: 'one ', finish: 'length' }, 'two'] });
  await using app = await startCore({ modelUrl: model.url });
  const { end, view } = await app.turn('count');
  expect(end).toMatchObject({ reason: 'done', text: 'one two' });
  expect(view.items.filter((item) => item.kind === 'step')).toHaveLength(1);
});

test('fault-F77: a call written as text is not run; the model is asked to call it', async () => {
  const text = 'I will: <tool_call>{"name":"write_file","arguments":{"path":"x","content":"y"}}</tool_call>';
  await using model = await startScriptedModel({ script: [text, 'Sorry, done.'] });
  await using app = await startCore({ modelUrl: model.url, approve: 'allow_once' });
  const { end } = await app.turn('write');
  expect(end.text).toBe('Sorry, done.');
  await expect(app.read('x')).rejects.toThrow();
});

test('fault-F87: an overflow is answered with one compaction and one retry, and the learnt window is kept', async () => {
  const big = 'x'.repeat(9_000);
  const files = Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`f${n}.txt`, big]));
  const overflow = {
    status: 400,
    body: { error: { code: 'context_length_exceeded', message: 'maximum context length is 9000 tokens' } },
  };
  await using model = await startScriptedModel({
    script: [
      { calls: Object.keys(files).map((path) => ({ tool: 'read_file', args: { path } })) },
      overflow,
      'Fits now.',
    ],
  });
  await using app = await startCore({ files, modelUrl: model.url });
  const { end, events } = await app.turn('read all');
  expect(end).toMatchObject({ reason: 'done', text: 'Fits now.' });
  expect(events.filter((event) => event.type === 'compaction')).toHaveLength(1);
  expect(JSON.stringify(model.requests[2]?.body).length).toBeLessThan(
    JSON.stringify(model.requests[1]?.body).length,
  );
});

test('a reverted edit puts the bytes back, is refused once the file changed again, and the model is told', async () => {
  await using model = await startScriptedModel({
    script: [calls('edit_file', { path: 'a.txt', old_string: 'b', new_string: 'B' }), 'ok', 'seen'],
  });
  await using app = await startCore({
    files: { 'a.txt': 'a\r\nb\r\n' },
    modelUrl: model.url,
    approve: 'allow_once',
  });
  const { calls: made } = await app.turn('edit');
  const callId = made[0]?.callId;
  if (!callId) throw new Error('no call');
  await app.core.revertEdit(app.session.id, callId, 'a.txt');
  expect(await app.read('a.txt')).toBe('a\r\nb\r\n');
  await expect(app.core.revertEdit(app.session.id, callId, 'a.txt')).rejects.toMatchObject({
    code: 'not_found',
  });
  await app.turn('next');
  const told = model.requests[2]?.body.messages.some(({ content }) =>
    String(content).includes('reverted your edit'),
  );
  expect(told).toBe(true);
});

test('a session is found again after a restart, with its history for the model', async () => {
  await using model = await startScriptedModel({ script: ['First.', 'Second.'] });
  await using app = await startCore({ modelUrl: model.url });
  await app.turn('one');
  await app.close();
  const again = await startCore({ modelUrl: model.url, home: app.home, project: app.project });
  const turn = await again.turn('two');
  expect(turn.view.items.filter((item) => item.kind === 'user').map((item) => item.text)).toEqual([
    'one',
    'two',
  ]);
  expect(model.requests[1]?.body.messages.map(({ content }) => content).slice(1)).toEqual([
    'one',
    'First.',
    'two',
  ]);
  await again.close();
});

test('X8: each request of a turn begins with the bytes of the one before', async () => {
  await using model = await startScriptedModel({
    script: [calls('list_dir', {}), calls('read_file', { path: 'a.txt' }), 'done'],
  });
  await using app = await startCore({
    files: { 'a.txt': 'a', 'AGENTS.md': 'Be brief.' },
    modelUrl: model.url,
  });
  await app.turn('look');
  const bodies = model.requests.map(({ body }) => JSON.stringify([body.tools, body.messages]));
  expect(bodies[0]).toContain('Be brief.');
  for (let i = 1; i < bodies.length; i += 1) {
    const before = bodies[i - 1]?.slice(0, -2) ?? '';
    expect(bodies[i]?.startsWith(before)).toBe(true);
  }
});

test('no key is written to the log or the store', async () => {
  await using model = await startScriptedModel({ script: ['ok'] });
  await using app = await startCore({ modelUrl: model.url });
  await app.turn('hi');
  await app.close();
  for (const file of ['logs/lathe.log', 'lathe.db']) {
    const bytes = await readFile(join(app.home, file)).catch(() => Buffer.alloc(0));
    expect(bytes.includes('Bearer test')).toBe(false);
  }
  await rm(app.home, { recursive: true, force: true });
});

test('H15, H18: every model step is a message of its own; one that only keeps the to-do list is housekeeping', async () => {
  const todo = { action: 'create', items: [{ id: '1', content: 'Look', status: 'in_progress' }] };
  await using model = await startScriptedModel({
    script: [
      { text: 'I plan.', reasoning: 'First the list.', calls: [{ tool: 'todo', args: todo }] },
      { text: 'I look.', reasoning: 'Then the folder.', calls: [{ tool: 'list_dir', args: {} }] },
      'Seen.',
    ],
  });
  await using app = await startCore({ modelUrl: model.url });
  const { view } = await app.turn('look around');
  const steps = view.items.flatMap((item) => (item.kind === 'step' ? [item] : []));
  expect(steps.map(({ text, reasoning, status }) => [text, reasoning, status])).toEqual([
    ['I plan.', 'First the list.', 'housekeeping'],
    ['I look.', 'Then the folder.', 'calls'],
    ['Seen.', '', 'answer'],
  ]);
  expect(new Set(steps.map(({ messageId }) => messageId)).size).toBe(3);
  expect(view.todos).toMatchObject([{ id: '1', status: 'in_progress' }]);
});

test('H2: the cap follows the mode, and a smaller one of the user counts', async () => {
  await using model = await startScriptedModel({ otherwise: 'ok' });
  await using app = await startCore({ modelUrl: model.url, maxSteps: 500 });
  const capOf = async (): Promise<number | undefined> => {
    const { events } = await app.turn('hi');
    const started = events.find((event) => event.type === 'step.started');
    return started?.type === 'step.started' ? started.maxSteps : undefined;
  };
  expect(await capOf()).toBe(100);
  app.core.sessions.configure(app.session.id, { mode: 'plan' });
  expect(await capOf()).toBe(20);
  await using small = await startCore({ modelUrl: model.url, maxSteps: 3 });
  const { events } = await small.turn('hi');
  expect(events.find((event) => event.type === 'step.started')).toMatchObject({ maxSteps: 3 });
});

test('X1: a long first turn is shortened in time and stays inside the window', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 30 }, (_, n) => [`f${n}.txt`, `${'line of text\n'.repeat(290)}`]),
  );
  const reads = Object.keys(files).map((path) => calls('read_file', { path }));
  await using model = await startScriptedModel({ script: [...reads, 'All read.'] });
  await using app = await startCore({ files, modelUrl: model.url });
  await app.core.settings.set('chat.context.defaultWindow', 16_000);
  const { end, events } = await app.turn('read all');
  expect(end).toMatchObject({ reason: 'done', text: 'All read.' });
  expect(events.some((event) => event.type === 'compaction')).toBe(true);
  for (const { body } of model.requests) expect(JSON.stringify(body).length / 4).toBeLessThan(16_000);
});

test('fault-F107: what can not be made to fit ends with the largest parts named, and the session lives on', async () => {
  await using model = await startScriptedModel({ otherwise: 'ok' });
  await using app = await startCore({ modelUrl: model.url });
  await app.core.settings.set('chat.context.defaultWindow', 4_000);
  const { end } = await app.turn('x'.repeat(20_000));
  expect(end).toMatchObject({ reason: 'error', error: { code: 'provider_context' } });
  expect(end.error?.message).toContain('your messages');
  expect(model.requests).toHaveLength(0);
  await app.core.settings.set('chat.context.defaultWindow', 128_000);
  expect((await app.turn('shorter')).end.reason).toBe('done');
});
