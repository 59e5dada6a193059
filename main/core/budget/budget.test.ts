import { expect, test } from 'vitest';
import { calls, type ChatBody, type ScriptReply } from '../../../e2e/support/scripted-model/script-reply';
import { startScriptedModel } from '../../../e2e/support/scripted-model/scripted-model';
import { startCore, type TestCore } from '../testing/start-core';

const PRICE = { input: 2, cached: 0.5, output: 8 };
const priced = async (app: TestCore, usd: number): Promise<void> => {
  await app.core.settings.set('chat.budget.prices', { mock: PRICE });
  await app.core.settings.set('chat.budget.sessionUsd', usd);
};

const limitOf = (body: ChatBody): number =>
  Number(body['max_tokens'] ?? body['max_completion_tokens'] ?? Infinity);
const isChild = (body: ChatBody): boolean => JSON.stringify(body.messages).includes('You work as a subagent');

/** The worst that a provider may count for this request: 20 % above our own estimate, and the longest answer allowed. */
function worst(body: ChatBody, reply: ScriptReply): ScriptReply {
  const sizes = body.messages.map(
    ({ content, tool_calls }) =>
      JSON.stringify(content ?? '').length + JSON.stringify(tool_calls ?? '').length,
  );
  const chars = sizes.reduce((sum, size) => sum + size + 16, JSON.stringify(body.tools ?? []).length);
  const completion = Math.min(limitOf(body), 400);
  return { ...reply, usage: { prompt_tokens: Math.ceil((chars / 4) * 1.2), completion_tokens: completion } };
}

const spentBy = (app: TestCore) => app.core.budgets.of(app.session.id).spent;

test('each answer carries its price; the session and its subagents know what they spent, also after a restart', async () => {
  let parent = 0;
  await using model = await startScriptedModel({
    otherwise: (body) => {
      const usage = { prompt_tokens: 1_000, completion_tokens: 100 };
      if (isChild(body)) return { text: 'found', usage };
      parent += 1;
      return parent === 1
        ? { calls: [{ tool: 'task', args: { goal: 'look', agent: 'explore' } }], usage }
        : { text: 'ok', usage };
    },
  });
  await using app = await startCore({ modelUrl: model.url });
  await priced(app, 0);
  const { events, view } = await app.turn('go');
  const cost = 1_000 * PRICE.input + 100 * PRICE.output;
  expect(events.filter((event) => event.type === 'usage')).toMatchObject([
    { costMicros: cost, model: 'command-line/mock' },
    { costMicros: cost },
  ]);
  expect(view.costMicros).toBe(2 * cost);
  expect(app.core.sessions.get(app.session.id)).toMatchObject({ costMicros: 2 * cost, spentTokens: 2_200 });
  const [child] = app.core.catalog.list({ projectId: null, children: { of: app.session.id } });
  expect(child).toMatchObject({ costMicros: cost, spentTokens: 1_100 });
  expect(spentBy(app)).toEqual({ micros: 3 * cost, tokens: 3_300 });
  await app.close();
  const again = await startCore({ modelUrl: model.url, home: app.home, project: app.project });
  expect(spentBy(again)).toEqual({ micros: 3 * cost, tokens: 3_300 });
  await again.close();
});

test('wanted-15: a session stops softly before it would exceed its budget, with last words that are paid from it too', async () => {
  await using model = await startScriptedModel({
    otherwise: (body) =>
      worst(body, body.tool_choice === 'none' ? { text: 'This far I came.' } : calls('list_dir', {})),
  });
  await using app = await startCore({ modelUrl: model.url });
  await priced(app, 0.06);
  const { end, events } = await app.turn('go on and on');
  expect(end).toMatchObject({ reason: 'budget', text: 'This far I came.' });
  const { micros } = spentBy(app);
  expect(micros).toBeLessThanOrEqual(60_000);
  expect(micros).toBeGreaterThan(30_000);
  expect(model.requests.length).toBeGreaterThan(2);
  const told = events.reduce((sum, event) => sum + (event.type === 'usage' ? (event.costMicros ?? 0) : 0), 0);
  expect(told).toBe(micros);
  const sent = model.requests.length;
  expect((await app.turn('and more')).end.reason).toBe('budget');
  expect(model.requests.length - sent).toBeLessThanOrEqual(1);
  expect(spentBy(app).micros).toBeLessThanOrEqual(60_000);
});

test('wanted-15: hard stop – without room for last words no request goes out, and a summary is made here', async () => {
  await using model = await startScriptedModel({ otherwise: 'never' });
  await using app = await startCore({ modelUrl: model.url });
  await priced(app, 0.000_1);
  const { end } = await app.turn('go');
  expect(end.reason).toBe('budget');
  expect(end.text).toMatch(/budget of this session is used up/);
  expect(model.requests).toHaveLength(0);
});

test('wanted-15: a session’s own budget overrides the setting; raised, the turn goes on', async () => {
  await using model = await startScriptedModel({ otherwise: 'Done.' });
  await using app = await startCore({ modelUrl: model.url });
  await priced(app, 100);
  app.core.sessions.configure(app.session.id, { budgetMicros: 10 });
  expect((await app.turn('go')).end.reason).toBe('budget');
  app.core.sessions.configure(app.session.id, { budgetMicros: 0 });
  expect((await app.turn('go')).end).toMatchObject({ reason: 'done', text: 'Done.' });
  app.core.sessions.configure(app.session.id, { budgetMicros: null });
  expect(app.core.budgets.of(app.session.id).limits).toEqual({ micros: 100_000_000, tokens: null });
});

test('a budget in dollars refuses a model without a price, one in tokens does not need it', async () => {
  await using model = await startScriptedModel({ otherwise: 'Done.' });
  await using app = await startCore({ modelUrl: model.url });
  await app.core.settings.set('chat.budget.prices', {});
  await app.core.settings.set('chat.budget.sessionTokens', 100_000);
  expect((await app.turn('go')).end.reason).toBe('done');
  expect(limitOf(model.requests[0]?.body as ChatBody)).toBeLessThanOrEqual(16_384);
  await app.core.settings.set('chat.budget.sessionTokens', 200);
  expect((await app.turn('go')).end.reason).toBe('budget');
});

test('wanted-15: parallel subagents share the budget with their parent and together never spend more', async () => {
  const goals = ['a', 'b', 'c', 'd', 'e', 'f'];
  let parent = 0;
  await using model = await startScriptedModel({
    otherwise: (body) => {
      if (body.tool_choice === 'none') return worst(body, { text: 'Out of money.' });
      if (isChild(body)) return worst(body, calls('list_dir', {}));
      parent += 1;
      return worst(
        body,
        parent === 1
          ? { calls: goals.map((goal) => ({ tool: 'task', args: { goal, agent: 'explore' } })) }
          : { text: 'Over.' },
      );
    },
  });
  await using app = await startCore({ modelUrl: model.url });
  await priced(app, 0.15);
  const { end, calls: made } = await app.turn('go');
  expect(['done', 'budget']).toContain(end.reason);
  const { micros } = spentBy(app);
  expect(micros).toBeLessThanOrEqual(150_000);
  expect(micros).toBeGreaterThan(75_000);
  expect(made).toHaveLength(goals.length);
  expect(made.some((call) => call.result?.text.includes('budget is used up'))).toBe(true);
});

test('an answer that broke or was stopped is paid for by what arrived', async () => {
  await using model = await startScriptedModel({
    script: [
      { text: 'half of it', dropAfterChars: 5 },
      { text: 'held back', holdAfterChars: 4 },
    ],
  });
  await using app = await startCore({ modelUrl: model.url });
  await priced(app, 0);
  expect((await app.turn('one')).end.reason).toBe('error');
  const broken = spentBy(app);
  expect(broken.micros).toBeGreaterThan(0);
  const shown = app.event((event) => event.type === 'text.delta');
  app.core.turns.start({ sessionId: app.session.id, text: 'two' });
  await shown;
  await app.core.turns.stop(app.session.id);
  expect(spentBy(app).micros).toBeGreaterThan(broken.micros);
  expect(app.core.sessions.get(app.session.id).costMicros).toBe(spentBy(app).micros);
});
