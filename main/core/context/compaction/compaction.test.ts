import { expect, test } from 'vitest';
import { calls, type ChatBody, type ScriptStep } from '../../../../e2e/support/scripted-model/script-reply';
import { startScriptedModel } from '../../../../e2e/support/scripted-model/scripted-model';
import { startCore, type FinishedTurn, type TestCore } from '../../testing/start-core';

const SUMMARY = `## 1. Request and intent
The user builds a parser in src/parse.ts and wants every branch tested before anything else is touched.
## 2. Concepts
Recursive descent, one token of look-ahead.
## 7. All user messages
They asked about the lexer first, then about errors.`;

const isSummary = (body: ChatBody): boolean => String(body.messages[0]?.content).startsWith('You condense');

/** Plays `answers`, and `summary` whenever a summary is asked for. */
function model(summary: ScriptStep, answer: ScriptStep = 'Understood.') {
  return startScriptedModel({
    otherwise: async (body, number) => {
      const step = isSummary(body) ? summary : answer;
      return typeof step === 'function' ? step(body, number) : step;
    },
  });
}
type Model = Awaited<ReturnType<typeof model>>;

const textOf = (body: ChatBody | undefined): string => JSON.stringify(body?.messages ?? []);
const summaries = ({ requests }: Model) => requests.filter(({ body }) => isSummary(body));
const compactions = ({ events }: FinishedTurn) => events.filter((event) => event.type === 'compaction');
const long = (n: number, mark: string): string => `${mark} ${`word${n} `.repeat(n)}`;

async function setWindow(app: TestCore, tokens: number): Promise<void> {
  await app.core.settings.set('chat.context.defaultWindow', tokens);
}

/** A session of `turns` turns with about `chars` characters each. */
async function talk(app: TestCore, turns: number, chars: number): Promise<void> {
  for (let n = 1; n <= turns; n += 1) await app.turn(`Question ${n}: ${'x'.repeat(chars)}`);
}

test('X2: between turns the older half is summarised and the newer kept', async () => {
  await using server = await model(SUMMARY);
  await using app = await startCore({ modelUrl: server.url });
  await talk(app, 6, 3_000);
  await setWindow(app, 8_500);
  const turn = await app.turn('And now?');
  expect(compactions(turn)).toMatchObject([{ tier: 'between_turns' }]);
  const last = textOf(server.requests.at(-1)?.body);
  expect(last).toContain('one token of look-ahead');
  expect(last).not.toContain('Question 1:');
  expect(last).toContain('Question 6:');
  expect(last).toContain('And now?');
  expect(turn.end.reason).toBe('done');
});

test('X2: a short session is left alone at that size', async () => {
  await using server = await model(SUMMARY);
  await using app = await startCore({ modelUrl: server.url });
  await talk(app, 2, 9_000);
  await setWindow(app, 9_000);
  expect(compactions(await app.turn('And now?'))).toEqual([]);
});

test('X3, X10: at 85 % nearly everything is summarised, 2–6 messages stay, and the prompt is the shorter one', async () => {
  await using server = await model(SUMMARY);
  await using app = await startCore({ modelUrl: server.url, files: { 'AGENTS.md': 'Use tabs here.' } });
  await talk(app, 8, 3_000);
  await setWindow(app, 8_500);
  const turn = await app.turn('And now?');
  expect(compactions(turn)).toMatchObject([{ tier: 'full' }]);
  const [system, summary, ...rest] = server.requests.at(-1)?.body.messages ?? [];
  expect(system?.content).toContain('in the middle of a session');
  expect(system?.content).toContain('Use tabs here.');
  expect(system?.content).not.toContain('Layout at the start');
  expect(summary).toMatchObject({ role: 'user' });
  expect(rest.length).toBeGreaterThanOrEqual(2);
  expect(rest.length).toBeLessThanOrEqual(6);
  expect(rest.at(-1)?.content).toBe('And now?');
  const asked = textOf(summaries(server)[0]?.body);
  for (const heading of ['Request and intent', 'Errors and fixes', 'All user messages'])
    expect(asked).toContain(heading);
});

test('case-K10, X6: what the user forbade, the last request and the to-do list go on word for word', async () => {
  const todo = { action: 'create', items: [{ id: '1', content: 'Write the lexer', status: 'in_progress' }] };
  let made = false;
  await using server = await model(SUMMARY, (body) => {
    if (made || !textOf(body).includes('the list')) return 'Understood.';
    made = true;
    return calls('todo', todo);
  });
  await using app = await startCore({ modelUrl: server.url });
  await app.turn(
    'Never touch db/. Make the list. Why does it never end? Always run `npm test` after a change.',
  );
  await talk(app, 9, 3_000);
  await setWindow(app, 9_000);
  await app.turn('Go on.');
  const last = textOf(server.requests.at(-1)?.body);
  expect(last).toContain('- Never touch db/.');
  expect(last).toContain('- Always run `npm test` after a change.');
  expect(last).not.toContain('- Why does it never end?');
  expect(last).toContain('[>] 1: Write the lexer');
});

test('case-K03: six to-dos are the same list after a compaction and a restart, whatever the summary says of them', async () => {
  const statuses = ['completed', 'completed', 'in_progress', 'pending', 'pending', 'pending'];
  const items = statuses.map((status, at) => ({ id: `${at + 1}`, content: `Part ${at + 1}`, status }));
  let made = false;
  await using server = await model(`${SUMMARY}\n## 8. To do\nNothing is left to do.`, (body) => {
    if (made || !textOf(body).includes('the list')) return 'Understood.';
    made = true;
    return calls('todo', { action: 'create', items });
  });
  await using app = await startCore({ modelUrl: server.url });
  const before = (await app.turn('Make the list.')).view.todos;
  expect(before.map(({ content, status }) => ({ content, status }))).toEqual(
    items.map(({ content, status }) => ({ content, status })),
  );
  await talk(app, 8, 3_000);
  await setWindow(app, 8_500);
  const squeezed = await app.turn('Go on.');
  expect(compactions(squeezed)).toHaveLength(1);
  expect(squeezed.view.todos).toEqual(before);
  await app.close();
  await using again = await startCore({ modelUrl: server.url, home: app.home, project: app.project });
  await setWindow(again, 200_000);
  const turn = await again.turn('What is left?');
  expect(turn.view.todos).toEqual(before);
  const last = textOf(server.requests.at(-1)?.body);
  for (const shown of ['[x] 1: Part 1', '[x] 2: Part 2', '[>] 3: Part 3', '[ ] 6: Part 6'])
    expect(last).toContain(shown);
});

test('X3: a useless summary is asked for again with a shorter prompt, then made without a model', async () => {
  await using server = await model('ok');
  await using app = await startCore({ modelUrl: server.url });
  await talk(app, 8, 3_000);
  await setWindow(app, 8_500);
  const turn = await app.turn('And now?');
  expect(summaries(server)).toHaveLength(3);
  expect(textOf(summaries(server)[1]?.body)).toContain('no headings');
  expect(compactions(turn)).toMatchObject([{ note: expect.stringContaining('without a model') as string }]);
  expect(textOf(server.requests.at(-1)?.body)).toContain('What the user wrote');
  expect(turn.end.reason).toBe('done');
});

test('fault-F39: when the model that summarises fails, the history is kept whole and the turn goes on', async () => {
  await using server = await model({ status: 400, body: { error: { message: 'no' } } });
  await using app = await startCore({ modelUrl: server.url });
  await talk(app, 8, 3_000);
  await setWindow(app, 9_500);
  const turn = await app.turn('And now?');
  expect(compactions(turn)).toEqual([]);
  expect(turn.events).toContainEqual(expect.objectContaining({ type: 'nudge', kind: 'compaction_failed' }));
  expect(turn.end.reason).toBe('done');
  expect(textOf(server.requests.at(-1)?.body)).toContain('Question 1:');
  expect(turn.view.compacting).toBe(false);
});

test('fault-F39: a second model that is set up writes the summary instead', async () => {
  await using server = await model({ status: 400, body: { error: { message: 'no' } } });
  await using second = await model(SUMMARY);
  await using app = await startCore({ modelUrl: server.url });
  const provider = await app.core.models.configure({
    providerId: null,
    name: 'Second',
    baseUrl: second.url,
    apiKey: 'k',
  });
  await app.core.settings.set('chat.context.summaryModel', `${provider.id}/scripted`);
  await talk(app, 8, 3_000);
  await setWindow(app, 8_500);
  const turn = await app.turn('And now?');
  expect(compactions(turn)).toMatchObject([{ tier: 'full' }]);
  expect(textOf(server.requests.at(-1)?.body)).toContain('one token of look-ahead');
  expect(app.core.store.context.compactions(app.session.id)).toMatchObject([
    { madeBy: `${provider.id}/scripted` },
  ]);
});

test('fault-F106: when the request for the summary is too long itself, it is cut down and ends within three tries', async () => {
  let asked = 0;
  await using server = await model(() => {
    asked += 1;
    const overflow = { error: { code: 'context_length_exceeded', message: 'too many tokens' } };
    return asked < 3 ? { status: 400, body: overflow } : SUMMARY;
  });
  await using app = await startCore({ modelUrl: server.url });
  await talk(app, 8, 3_000);
  await setWindow(app, 8_500);
  const turn = await app.turn('And now?');
  expect(compactions(turn)).toMatchObject([{ tier: 'full' }]);
  const sizes = summaries(server).map(({ body }) => textOf(body).length);
  expect(sizes).toHaveLength(3);
  expect(sizes[1]).toBeLessThan(sizes[0] ?? 0);
  expect(sizes[2]).toBeLessThan(sizes[1] ?? 0);
});

test('X4, case-K06: compactions are kept as a trail; the second one replaces the first in the request', async () => {
  await using server = await model(
    (body) => `${SUMMARY}\nRound ${textOf(body).includes('<earlier-summary>') ? 'two' : 'one'}.`,
  );
  await using app = await startCore({ modelUrl: server.url });
  await talk(app, 8, 3_000);
  await setWindow(app, 8_500);
  await app.turn('First stop.');
  await talk(app, 8, 3_000);
  const trail = app.core.store.context.compactions(app.session.id);
  expect(trail.length).toBeGreaterThanOrEqual(2);
  expect(
    trail.every(({ prefixHash, replacedCount }) => /^[0-9a-f]{64}$/.test(prefixHash) && replacedCount > 0),
  ).toBe(true);
  const last = textOf(server.requests.at(-1)?.body);
  expect(last).toContain('Round two.');
  expect(last.split('<context-summary>')).toHaveLength(2);
});

test('X7: /compact by hand, the notice with its numbers, and its undoing', async () => {
  await using server = await model(SUMMARY);
  await using app = await startCore({ modelUrl: server.url });
  await talk(app, 4, 3_000);
  const never = new AbortController().signal;
  const done = await app.core.context.compact(app.session.id, 'the lexer', never);
  expect(done?.afterTokens).toBeLessThan(done?.beforeTokens ?? 0);
  expect(textOf(summaries(server)[0]?.body)).toContain('the lexer');
  const { view } = app.core.catalog.runtime(app.session.id);
  expect(view.items.at(-1)).toMatchObject({
    kind: 'notice',
    compaction: { id: done?.compactionId, undone: false },
  });
  await app.turn('Next.');
  expect(textOf(server.requests.at(-1)?.body)).not.toContain('Question 1:');
  await app.core.context.undoCompaction(app.session.id, done?.compactionId ?? '');
  await app.turn('Once more.');
  const last = textOf(server.requests.at(-1)?.body);
  expect(last).toContain('Question 1:');
  expect(last).not.toContain('<context-summary>');
  expect(app.core.catalog.runtime(app.session.id).view.items).toContainEqual(
    expect.objectContaining({
      kind: 'notice',
      compaction: expect.objectContaining({ undone: true }) as object,
    }),
  );
  await expect(
    app.core.context.undoCompaction(app.session.id, done?.compactionId ?? ''),
  ).rejects.toMatchObject({
    code: 'not_found',
  });
});

test('case-K09: compacting again with nothing new does nothing and costs nothing', async () => {
  await using server = await model(SUMMARY);
  await using app = await startCore({ modelUrl: server.url });
  const never = new AbortController().signal;
  expect(await app.core.context.compact(app.session.id, '', never)).toBeNull();
  await talk(app, 4, 3_000);
  expect(await app.core.context.compact(app.session.id, '', never)).not.toBeNull();
  const before = server.requests.length;
  expect(await app.core.context.compact(app.session.id, '', never)).toBeNull();
  expect(server.requests.length - before).toBeLessThanOrEqual(1);
});

test('no turn starts while a session is being summarised', async () => {
  await using server = await model({ text: SUMMARY, headDelayMs: 60 });
  await using app = await startCore({ modelUrl: server.url });
  await talk(app, 4, 3_000);
  const never = new AbortController().signal;
  const working = app.core.context.compact(app.session.id, '', never);
  expect(() => app.core.turns.start({ sessionId: app.session.id, text: 'now' })).toThrow(
    expect.objectContaining({ code: 'busy' }),
  );
  await working;
  expect((await app.turn('now')).end.reason).toBe('done');
});

test('a compaction survives a restart', async () => {
  await using server = await model(SUMMARY);
  await using app = await startCore({ modelUrl: server.url });
  await talk(app, 4, 3_000);
  await app.core.context.compact(app.session.id, '', new AbortController().signal);
  await app.close();
  const again = await startCore({ modelUrl: server.url, home: app.home, project: app.project });
  await again.turn('Next.');
  const last = textOf(server.requests.at(-1)?.body);
  expect(last).toContain('one token of look-ahead');
  expect(last).not.toContain('Question 1:');
  await again.close();
});

test('fault-F107: after two summaries without headroom it stops, naming the largest parts', async () => {
  await using server = await model(long(900, 'Notes:'));
  await using app = await startCore({ modelUrl: server.url });
  await talk(app, 6, 200);
  await setWindow(app, 3_000);
  const { end } = await app.turn(`Look at this: ${'y'.repeat(9_600)}`);
  expect(end).toMatchObject({ reason: 'error', error: { code: 'provider_context' } });
  expect(end.error?.message).toContain('Largest parts');
  expect(summaries(server).length).toBeLessThanOrEqual(6);
});

test('fault-F104: a prompt that the server cuts is told once, and the next request is smaller', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 12 }, (_, n) => [`f${n}.txt`, 'line of text\n'.repeat(280)]),
  );
  const usage = { prompt_tokens: 4_000, completion_tokens: 5 };
  const reads = Object.keys(files).map((path) => ({ ...calls('read_file', { path }), usage }));
  await using server = await startScriptedModel({ script: [...reads, 'All read.'], otherwise: SUMMARY });
  await using app = await startCore({ files, modelUrl: server.url });
  const turn = await app.turn('read all');
  const told = turn.events.filter((event) => event.type === 'nudge' && event.kind === 'context_cut');
  expect(told).toHaveLength(1);
  expect(compactions(turn).length).toBeGreaterThan(0);
  expect(turn.end.reason).toBe('done');
});

test('fault-F85, F108: in a long turn with tools a summary never splits calls from their results', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 40 }, (_, n) => [`f${n}.txt`, `${n} ${'text '.repeat(600)}`]),
  );
  let step = 0;
  await using server = await model(SUMMARY, () => {
    step += 1;
    return step <= 40
      ? calls('read_file', { path: `f${step - 1}.txt` }, `Step ${step} ${'thinking '.repeat(150)}`)
      : 'Done.';
  });
  await using app = await startCore({ files, modelUrl: server.url });
  await setWindow(app, 10_000);
  const turn = await app.turn('read all. Never skip one.');
  expect(turn.end).toMatchObject({ reason: 'done' });
  expect(compactions(turn).some((event) => event.type === 'compaction' && event.tier === 'full')).toBe(true);
  for (const { body } of server.requests) {
    const open = new Set<string>();
    for (const message of body.messages) {
      for (const call of (message.tool_calls ?? []) as { id: string }[]) open.add(call.id);
      if (message.role === 'tool') expect(open.delete(message.tool_call_id ?? '')).toBe(true);
    }
    expect(open.size).toBe(0);
    // Five characters a token: the words of these files.
    expect(textOf(body).length / 5).toBeLessThan(10_000);
  }
  expect(textOf(server.requests.at(-1)?.body)).toContain('read all. Never skip one.');
});

test('a summary that was taken back does not come again at once, and then only when the window fills on', async () => {
  await using server = await model(SUMMARY);
  await using app = await startCore({ modelUrl: server.url });
  await talk(app, 8, 3_000);
  await setWindow(app, 10_500);
  const first = compactions(await app.turn('And now?'))[0];
  if (first?.type !== 'compaction') throw new Error('no summary');
  await app.core.context.undoCompaction(app.session.id, first.compactionId ?? '');
  expect(compactions(await app.turn('Keep it whole.'))).toEqual([]);
  expect(textOf(server.requests.at(-1)?.body)).toContain('Question 1:');
  await talk(app, 2, 3_000);
  expect(app.core.store.context.compactions(app.session.id)).toHaveLength(2);
});

test('fault-F104: a count above the window is told once, and the next request is made smaller', async () => {
  const names = Array.from({ length: 9 }, (_, n) => `f${n}.txt`);
  const files = Object.fromEntries(names.map((name) => [name, 'some words here\n'.repeat(280)]));
  // The estimate stays below the window; the provider counts more from the fifth request on.
  const reads = names.map((path, n) => ({
    ...calls('read_file', { path }),
    usage: { prompt_tokens: n < 4 ? 3_000 : 31_000, completion_tokens: 5 },
  }));
  await using server = await startScriptedModel({ script: [...reads, 'All read.'], otherwise: SUMMARY });
  await using app = await startCore({ files, modelUrl: server.url });
  await setWindow(app, 30_000);
  const turn = await app.turn('read all');
  const told = turn.events.filter((event) => event.type === 'nudge' && event.kind === 'context_exceeded');
  expect(told).toHaveLength(1);
  expect(compactions(turn)[0]).toMatchObject({ tier: 'in_turn' });
  expect(turn.end.reason).toBe('done');
});
