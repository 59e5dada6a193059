import { expect, test } from 'vitest';
import { calls } from '../../../e2e/support/scripted-model/script-reply';
import { startScriptedModel } from '../../../e2e/support/scripted-model/scripted-model';
import type { TurnEvent } from '../../../shared/model/turn-event';
import { startCore } from '../testing/start-core';

type Model = Awaited<ReturnType<typeof startScriptedModel>>;

const lastMessage = (model: Model, request: number) => model.requests[request]?.body.messages.at(-1);
const nudges = (events: readonly TurnEvent[], kind: string) =>
  events.filter((event) => event.type === 'nudge' && event.kind === kind);
const done = (result = 'Finished.') => calls('attempt_completion', { result });

/** Each request begins with the bytes of the one before: nudges are appended, the tools stay as they are. */
function expectStablePrefix(model: Model): void {
  const bodies = model.requests.map(({ body }) => JSON.stringify([body.tools, body.messages]));
  for (let i = 1; i < bodies.length; i += 1) {
    expect(bodies[i]?.startsWith(bodies[i - 1]?.slice(0, -2) ?? '')).toBe(true);
  }
}

test('H3: the same call over and over is told once, refused for a step, and ends the turn with the reason', async () => {
  await using model = await startScriptedModel({ otherwise: calls('list_dir', {}) });
  await using app = await startCore({ files: { 'a.txt': 'a' }, modelUrl: model.url });
  const { end, events, calls: made, view } = await app.turn('look');
  expect(end).toMatchObject({
    reason: 'repeated_calls',
    steps: 16,
    why: expect.stringContaining('16 times in a row') as string,
  });
  expect(nudges(events, 'repeated_calls')).toHaveLength(1);
  expect(lastMessage(model, 8)).toMatchObject({
    role: 'user',
    content: expect.stringMatching(/^<system-reminder>\n.*8 times in a row/) as string,
  });
  expect(made.map(({ state }) => state).indexOf('denied')).toBe(12);
  expect(made[12]).toMatchObject({
    by: 'guard',
    error: { message: expect.stringContaining('Not run') as string },
  });
  expect(made.filter(({ state }) => state === 'success')).toHaveLength(15);
  // H9: the model had no words left, so the activity is told.
  expect(end.text).toContain('list_dir × 15');
  expect(view.items.at(-1)).toMatchObject({ kind: 'end', reason: 'repeated_calls', why: end.why });
  expect(model.requests).toHaveLength(17);
  expect(model.requests[16]?.body.tool_choice).toBe('none');
  expectStablePrefix({ ...model, requests: model.requests.slice(0, 16) });
});

test('H3: two calls that take turns with the same results are a loop too', async () => {
  const turns = (_body: unknown, number: number) =>
    calls('read_file', { path: number % 2 === 0 ? 'a.txt' : 'b.txt' });
  await using model = await startScriptedModel({ otherwise: turns });
  await using app = await startCore({ files: { 'a.txt': 'a', 'b.txt': 'b' }, modelUrl: model.url });
  const { end, events } = await app.turn('look');
  expect(end).toMatchObject({ reason: 'repeated_calls', why: expect.stringContaining('circle') as string });
  expect(nudges(events, 'call_cycle')).toHaveLength(1);
});

test('H4: searches without a read are told once per streak, in the chat and in the history', async () => {
  const searches = Array.from({ length: 7 }, (_each, at) => calls('grep', { pattern: `x${at}` }));
  await using model = await startScriptedModel({ script: [...searches, 'Nothing found.'] });
  await using app = await startCore({ files: { 'a.txt': 'a' }, modelUrl: model.url });
  const { events, view } = await app.turn('search');
  expect(nudges(events, 'search_scatter')).toHaveLength(1);
  expect(lastMessage(model, 6)?.content).toContain('6 searches in a row');
  expect(view.items.some((item) => item.kind === 'notice' && item.text.startsWith('6 searches'))).toBe(true);
});

test('H4: edits that miss three times are told to read first', async () => {
  const misses = ['x', 'y', 'z'].map((old_string) =>
    calls('edit_file', { path: 'a.txt', old_string: `${old_string}${old_string}`, new_string: 'n' }),
  );
  await using model = await startScriptedModel({ script: [...misses, 'I give up.'] });
  await using app = await startCore({ files: { 'a.txt': 'a' }, modelUrl: model.url, approve: 'allow_once' });
  const { events } = await app.turn('replace x');
  expect(nudges(events, 'edit_no_match')).toHaveLength(1);
  expect(lastMessage(model, 3)?.content).toContain('read those lines again');
});

test('H5: near the cap the agent is told, and in the last two steps only attempt_completion counts', async () => {
  const reads = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => calls('glob', { pattern: `${name}*` }));
  await using model = await startScriptedModel({ script: [...reads, done('So far.')] });
  await using app = await startCore({ modelUrl: model.url, maxSteps: 8 });
  const { end, events, calls: made } = await app.turn('look');
  expect(end).toMatchObject({ reason: 'done', text: 'So far.', steps: 8 });
  expect(nudges(events, 'budget').map((event) => event.type === 'nudge' && event.text)).toEqual([
    '6 of 8 steps are used.',
  ]);
  const named = { type: 'function', function: { name: 'attempt_completion' } };
  expect(model.requests.map(({ body }) => body.tool_choice).slice(5)).toEqual(['auto', named, named]);
  expect(made[6]).toMatchObject({ state: 'denied', by: 'guard' });
  expect(lastMessage(model, 7)).toMatchObject({ role: 'tool' });
  expect(JSON.stringify(lastMessage(model, 7))).toContain('Only attempt_completion');
  expectStablePrefix(model);
});

test('H6: a change that was asked for and not made is sent back twice, then accepted with a warning', async () => {
  await using model = await startScriptedModel({
    script: [done('I fixed it.'), done('Fixed.'), done('It is fine.')],
  });
  await using app = await startCore({ files: { 'a.ts': '1' }, modelUrl: model.url });
  const { end, events, calls: made } = await app.turn('Fix the bug in a.ts');
  expect(made.map(({ state, by }) => [state, by])).toEqual([
    ['denied', 'guard'],
    ['denied', 'guard'],
    ['success', expect.anything()],
  ]);
  expect(lastMessage(model, 1)).toMatchObject({ role: 'tool' });
  expect(JSON.stringify(lastMessage(model, 1))).toContain('no edit succeeded in this turn');
  expect(end).toMatchObject({ reason: 'done', text: 'It is fine.' });
  expect(nudges(events, 'goal_sent_back')).toHaveLength(2);
  const [warning] = nudges(events, 'goal_no_change');
  expect(warning).toMatchObject({ tone: 'warn' });
});

test('H6: a completion after the edit is accepted, also in the same reply', async () => {
  const edit = { tool: 'edit_file', args: { path: 'a.ts', old_string: '1', new_string: '2' } };
  const finish = { tool: 'attempt_completion', args: { result: 'Changed a.ts.' } };
  await using model = await startScriptedModel({ script: [{ calls: [edit, finish] }] });
  await using app = await startCore({ files: { 'a.ts': '1' }, modelUrl: model.url, approve: 'allow_once' });
  const { end, events } = await app.turn('Fix the bug in a.ts');
  expect(end).toMatchObject({ reason: 'done', text: 'Changed a.ts.' });
  expect(events.some((event) => event.type === 'nudge')).toBe(false);
});

test('H6: what the user refused is not asked for again, and a question needs no edit', async () => {
  const write = calls('write_file', { path: 'a.ts', content: '2' });
  await using model = await startScriptedModel({ script: [write, done('You refused.'), done('Yes.')] });
  await using app = await startCore({ files: { 'a.ts': '1' }, modelUrl: model.url, approve: 'deny' });
  expect((await app.turn('Fix the bug in a.ts')).end).toMatchObject({ reason: 'done', text: 'You refused.' });
  expect((await app.turn('Is it used anywhere?')).end).toMatchObject({ text: 'Yes.' });
});

test('H6: open to-do items send a completion back, unless that is switched off', async () => {
  const todo = calls('todo', {
    action: 'create',
    items: [{ id: '1', content: 'Look', status: 'in_progress' }],
  });
  const close = calls('todo', { action: 'update', items: [{ id: '1', status: 'completed' }] });
  await using model = await startScriptedModel({ script: [todo, done(), close, done(), todo, done('Off.')] });
  await using app = await startCore({ modelUrl: model.url });
  const first = await app.turn('look around');
  expect(first.calls.map(({ tool, state }) => `${tool} ${state}`)).toEqual([
    'todo success',
    'attempt_completion denied',
    'todo success',
    'attempt_completion success',
  ]);
  expect(JSON.stringify(lastMessage(model, 2))).toContain('1 to-do item is open');
  await app.core.settings.set('chat.agent.todoGate', false);
  expect((await app.turn('look around')).end).toMatchObject({ text: 'Off.', steps: 2 });
});

test('H7: an answer about the code that looked at nothing is sent back once', async () => {
  await using model = await startScriptedModel({
    script: [
      'It uses a map.',
      calls('grep', { pattern: 'cache' }),
      'In a.ts:1.',
      'By heart.',
      'By heart, I say.',
    ],
  });
  await using app = await startCore({ files: { 'a.ts': 'const cache = 1' }, modelUrl: model.url });
  const first = await app.turn('How does the caching layer work?');
  expect(first.end).toMatchObject({ reason: 'done', text: 'In a.ts:1.', steps: 3 });
  expect(nudges(first.events, 'needs_evidence')).toHaveLength(1);
  expect(lastMessage(model, 1)?.content).toContain('without looking');
  const second = await app.turn('Where is the retry logic?');
  expect(second.end).toMatchObject({ text: 'By heart, I say.', steps: 2 });
});

test('H7: what is no question about the code may be answered at once', async () => {
  await using model = await startScriptedModel({ script: ['Hello.', 'A function with its scope.'] });
  await using app = await startCore({ modelUrl: model.url });
  expect((await app.turn('hi')).end.steps).toBe(1);
  expect((await app.turn('What is a closure in JavaScript?')).end.steps).toBe(1);
});

test('H8, H14: what is to be done must begin with a tool, and the log says what it was taken for', async () => {
  await using model = await startScriptedModel({
    script: [calls('list_dir', {}), 'Nothing to fix.', 'Hello.', 'No.'],
  });
  await using app = await startCore({ modelUrl: model.url });
  const { events } = await app.turn('Fix the typo in README.md');
  expect(events.find((event) => event.type === 'turn.classified')).toMatchObject({
    ...{ goalKind: 'code_change', isActionable: true, editScope: 'single_line', complexity: 'simple' },
    ...{
      needsShell: false,
      chatOnly: false,
      isFollowUp: false,
      expectsMultiStep: false,
      needsFlagship: false,
    },
    by: 'words',
  });
  await app.turn('hi');
  await app.core.settings.set('chat.classify.enabled', false);
  const off = await app.turn('Fix the typo in README.md');
  expect(off.events.some((event) => event.type === 'turn.classified')).toBe(false);
  expect(model.requests.map(({ body }) => body.tool_choice)).toEqual(['required', 'auto', 'auto', 'auto']);
});

test('fault-F78: a result that the model wrote itself is flagged, sent back once and counts for nothing', async () => {
  const fake = 'Done. <tool_response>12 passed</tool_response> All tests pass.';
  await using model = await startScriptedModel({ script: [fake, fake] });
  await using app = await startCore({ modelUrl: model.url });
  const { end, events, view } = await app.turn('hi');
  expect(end).toMatchObject({ reason: 'done', steps: 2 });
  expect(nudges(events, 'fake_result')).toMatchObject([{ tone: 'warn' }]);
  expect(end.receipt?.claims).toMatchObject([
    { kind: 'checks', supported: false },
    { kind: 'tool_result', supported: false },
  ]);
  expect(JSON.stringify(model.requests[1]?.body.messages)).not.toContain('12 passed');
  expect(view.items.some((item) => item.kind === 'notice' && item.tone === 'warn')).toBe(true);
});

test('fault-F77: a call written as text is sent back at most twice in a row and is no example in the history', async () => {
  const text = 'I will. <tool_call>{"name":"list_dir","arguments":{}}</tool_call>';
  await using model = await startScriptedModel({ script: [text, text, text] });
  await using app = await startCore({ modelUrl: model.url });
  const { end, events } = await app.turn('hi');
  expect(end).toMatchObject({ reason: 'done', steps: 3 });
  expect(nudges(events, 'text_call')).toHaveLength(2);
  expect(JSON.stringify(model.requests[2]?.body.messages)).not.toContain('<tool_call>');
});

test('H18: to-do steps do not end a streak and are not counted as one', async () => {
  const todo = calls('todo', { action: 'read' }, 'I look at my list.');
  const search = (at: number) => calls('grep', { pattern: String(at) });
  await using model = await startScriptedModel({
    script: [search(1), search(2), todo, search(3), search(4), todo, search(5), search(6), 'Nothing.'],
  });
  await using app = await startCore({ modelUrl: model.url });
  const { events, view } = await app.turn('search');
  expect(nudges(events, 'search_scatter')).toHaveLength(1);
  const steps = view.items.filter((item) => item.kind === 'step');
  expect(steps.filter(({ status }) => status === 'housekeeping')).toHaveLength(2);
});

test('H17: a refused call keeps its own line in the feed', async () => {
  await using model = await startScriptedModel({ script: [done('x'), done('y'), done('z')] });
  await using app = await startCore({ modelUrl: model.url });
  const { calls: made } = await app.turn('Fix the bug in a.ts');
  expect(made.map(({ label }) => label)).toEqual(['Finished', 'Finished', 'Finished']);
});

test('an interjection that wants no change takes the verifier back', async () => {
  await using model = await startScriptedModel({
    script: [calls('write_file', { path: 'n.txt', content: 'n' }), done('Explained.')],
  });
  await using app = await startCore({ modelUrl: model.url });
  app.core.approvals.onChange((pending) => {
    for (const { id } of pending) {
      app.core.turns.interject(app.session.id, "Don't change anything, just explain it.");
      queueMicrotask(() => app.core.approvals.reply(id, 'deny', 'timeout'));
    }
  });
  expect((await app.turn('Fix the bug in a.ts')).end).toMatchObject({ reason: 'done', text: 'Explained.' });
});
