import { expect, test } from 'vitest';
import { calls } from '../../../e2e/support/scripted-model/script-reply';
import { startScriptedModel } from '../../../e2e/support/scripted-model/scripted-model';
import { startCore, type TestCore } from '../testing/start-core';
import { plansVerbatim } from './plans-verbatim';

const PLAN = { title: 'Rename it', steps: ['Find the uses', { text: 'Rename them', status: 'pending' }] };

const planning = (app: TestCore) => app.core.sessions.configure(app.session.id, { mode: 'plan' });

test('create_plan is the one write of plan mode; the plan is kept in the session, also over a restart', async () => {
  await using model = await startScriptedModel({
    script: [calls('create_plan', PLAN), 'There it is.', 'ok'],
  });
  await using app = await startCore({ modelUrl: model.url });
  planning(app);
  const turn = await app.turn('plan a rename');
  expect(turn.calls).toMatchObject([{ tool: 'create_plan', state: 'success' }]);
  const names = model.requests[0]?.body.tools?.map((tool) => tool.function.name) ?? [];
  expect(names).toContain('create_plan');
  expect(names).not.toContain('write_file');
  expect(turn.events.filter((event) => event.type === 'plan.changed')).toHaveLength(1);
  expect(turn.view.plans).toMatchObject([
    {
      planId: 'plan-1',
      title: 'Rename it',
      state: 'draft',
      by: 'agent',
      callId: turn.calls[0]?.callId,
      steps: [
        { text: 'Find the uses', status: 'pending' },
        { text: 'Rename them', status: 'pending' },
      ],
    },
  ]);
  await app.close();
  const again = await startCore({ modelUrl: model.url, home: app.home, project: app.project });
  expect(again.core.catalog.runtime(again.session.id).view.plans).toEqual(turn.view.plans);
  await again.close();
});

test('ask mode has no create_plan', async () => {
  await using model = await startScriptedModel({ script: [calls('create_plan', PLAN), 'no'] });
  await using app = await startCore({ modelUrl: model.url });
  app.core.sessions.configure(app.session.id, { mode: 'ask' });
  const turn = await app.turn('plan');
  expect(turn.calls).toMatchObject([{ state: 'denied', by: 'mode' }]);
  expect(turn.view.plans).toEqual([]);
});

test('the user’s version replaces the agent’s, the model is told, and building starts a turn in agent mode', async () => {
  await using model = await startScriptedModel({
    script: [
      calls('create_plan', PLAN),
      'There it is.',
      calls('create_plan', {
        ...PLAN,
        plan_id: 'plan-1',
        steps: [{ text: 'Only this', status: 'completed' }],
      }),
      'Built.',
    ],
  });
  await using app = await startCore({ modelUrl: model.url });
  planning(app);
  await app.turn('plan a rename');
  const steps = [{ text: 'Only this', status: 'pending' as const }];
  app.core.plans.edit(app.session.id, 'plan-1', { title: 'Shorter', steps });
  const { view } = app.core.catalog.runtime(app.session.id);
  expect(view.plans).toMatchObject([{ title: 'Shorter', by: 'user', state: 'draft' }]);
  expect(plansVerbatim({ view })).toContain('1. [ ] Only this');

  const ended = app.event((event) => event.type === 'turn.finished');
  app.core.plans.build(app.session.id, 'plan-1');
  expect(() => app.core.plans.edit(app.session.id, 'plan-1', { title: 'Late', steps })).toThrow(
    expect.objectContaining({ code: 'busy' }),
  );
  await ended;
  expect(app.core.sessions.get(app.session.id)).toMatchObject({ mode: 'agent' });
  const messages = model.requests[2]?.body.messages.map(({ content }) => String(content)) ?? [];
  expect(messages.some((text) => text.includes('The user changed plan-1'))).toBe(true);
  expect(messages.at(-1)).toContain('1. [ ] Only this');
  const built = app.core.catalog.runtime(app.session.id).view;
  expect(built.plans).toMatchObject([{ state: 'building', by: 'agent', steps: [{ status: 'completed' }] }]);
  expect(plansVerbatim({ view: built })).toBe('');
});

test('a plan that does not exist is refused with what there is', async () => {
  await using model = await startScriptedModel({
    script: [calls('create_plan', PLAN), calls('create_plan', { ...PLAN, plan_id: 'plan-7' }), 'ok'],
  });
  await using app = await startCore({ modelUrl: model.url });
  planning(app);
  const turn = await app.turn('plan');
  expect(turn.calls[1]).toMatchObject({ state: 'error', error: { hint: 'There are: plan-1.' } });
  expect(() => app.core.plans.build(app.session.id, 'plan-7')).toThrow(
    expect.objectContaining({ code: 'not_found' }),
  );
  expect(app.core.sessions.get(app.session.id).mode).toBe('plan');
});

test('X6: a plan that is not done stays word for word when the conversation is summarised', async () => {
  const long = 'It was a long talk about names. '.repeat(60);
  let planned = false;
  await using model = await startScriptedModel({
    otherwise: ({ tools = [] }) => {
      if (tools.length === 0)
        return 'They spoke about names, their uses and how to change all of them safely.';
      if (planned) return long;
      planned = true;
      return calls('create_plan', PLAN);
    },
  });
  await using app = await startCore({ modelUrl: model.url });
  planning(app);
  for (const text of ['plan a rename', 'one', 'two', 'three', 'four']) await app.turn(text);
  const done = await app.core.context.compact(app.session.id, '', new AbortController().signal);
  expect(done).not.toBeNull();
  await app.turn('and now?');
  const sent = JSON.stringify(model.requests.at(-1)?.body.messages);
  expect(sent).not.toContain('"create_plan"');
  expect(sent).toContain('# Rename it\\n1. [ ] Find the uses\\n2. [ ] Rename them');
});
