import { expect, test } from 'vitest';
import { calls } from '../../../../e2e/support/scripted-model/script-reply';
import { startScriptedModel } from '../../../../e2e/support/scripted-model/scripted-model';
import type { TurnEvent } from '../../../../shared/model/turn-event';
import { startCore } from '../../testing/start-core';

const VAGUE = 'hm, the thing';
const ANSWER = JSON.stringify({
  ...{ goalKind: 'code_change', isActionable: true, editScope: 'single_file', complexity: 'medium' },
  ...{ needsShell: false, chatOnly: false, isFollowUp: false, expectsMultiStep: false, confidence: 0.9 },
});

const classified = (events: readonly TurnEvent[]) => events.find((event) => event.type === 'turn.classified');
const resolved = (events: readonly TurnEvent[]) =>
  events.flatMap((event) => (event.type === 'model.resolved' ? [[event.model, event.reason]] : []));

test('H14: a model is asked only where words do not decide, and its answer drives the turn', async () => {
  await using model = await startScriptedModel({ script: [ANSWER, calls('list_dir', {}), 'Ok.', 'Hello.'] });
  await using app = await startCore({ modelUrl: model.url });
  await app.core.settings.set('chat.classify.askModel', 'always');
  const { events, view } = await app.turn(VAGUE);
  expect(classified(events)).toMatchObject({ by: 'model', goalKind: 'code_change', confidence: 0.9 });
  expect(model.requests.map(({ body }) => [(body.tools ?? []).length > 0, body.tool_choice])).toEqual([
    [false, undefined],
    [true, 'required'],
    [true, 'auto'],
  ]);
  expect(JSON.stringify(model.requests[1]?.body.messages)).not.toContain('You sort requests');
  expect(view.items.filter((item) => item.kind === 'step')).toHaveLength(2);
  expect(classified((await app.turn('hi')).events)).toMatchObject({ by: 'words', chatOnly: true });
});

test('H14: a model on this machine is not asked unless that is set, and an odd answer falls back to the words', async () => {
  await using model = await startScriptedModel({ script: ['One.', 'I would say: a poem.', 'Two.'] });
  await using app = await startCore({ modelUrl: model.url });
  expect(classified((await app.turn(VAGUE)).events)).toMatchObject({ by: 'words' });
  expect(model.requests).toHaveLength(1);
  await app.core.settings.set('chat.classify.askModel', 'always');
  const { events, end } = await app.turn(VAGUE);
  expect(classified(events)).toMatchObject({ by: 'words' });
  expect(end).toMatchObject({ reason: 'done', text: 'Two.' });
});

test('H14: sessions that follow the default are routed by what is asked; one with a model of its own is not', async () => {
  const failing = calls('read_file', { path: 'none.txt' });
  await using model = await startScriptedModel({
    script: ['Fixed.', failing, calls('read_file', { path: 'none2.txt' }), 'Not there.', 'Own.'],
  });
  await using app = await startCore({ modelUrl: model.url, override: false });
  const { core } = app;
  const { id } = await core.models.configure({
    providerId: null,
    name: 'Test',
    baseUrl: model.url,
    apiKey: 'k',
  });
  await core.settings.set('chat.model.default', `${id}/main`);
  await core.settings.set('chat.model.fast', `${id}/fast`);
  await core.settings.set('chat.model.flagship', `${id}/big`);
  expect(resolved((await app.turn('Fix the typo in README.md')).events)).toEqual([
    ['fast', 'auto: the fast model for a simple request'],
  ]);
  expect(resolved((await app.turn('Add unit tests for utils/date.ts')).events)).toEqual([
    ['main', 'auto: the main model for a request of medium size'],
    ['big', 'auto: the flagship model after 2 failed calls'],
  ]);
  core.sessions.configure(app.session.id, { model: `${id}/own` });
  expect(resolved((await app.turn('Fix the typo in README.md')).events)).toEqual([
    ['own', 'chosen in the session'],
  ]);
  expect(model.requests.map(({ body }) => body.model)).toEqual(['fast', 'main', 'main', 'big', 'own']);
});

test('H14: a message is taken with the one before it, and a turn that goes on keeps what it is about', async () => {
  await using model = await startScriptedModel({ script: ['I would do this.', 'Done.'] });
  await using app = await startCore({ modelUrl: model.url });
  await app.turn('Add unit tests for utils/date.ts');
  const { events } = await app.turn('go ahead');
  expect(classified(events)).toMatchObject({ goalKind: 'code_change', isFollowUp: true });
});
