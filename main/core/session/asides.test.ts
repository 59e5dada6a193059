import { expect, test } from 'vitest';
import { calls } from '../../../e2e/support/scripted-model/script-reply';
import { startScriptedModel } from '../../../e2e/support/scripted-model/scripted-model';
import type { ItemView } from '../../../shared/model/session-view';
import { readRecording, writeRecording } from '../recording/recording-file';
import { replaySession } from '../recording/replay-session';
import { startCore, type TestCore } from '../testing/start-core';

const asidesOf = (app: TestCore): Extract<ItemView, { kind: 'aside' }>[] =>
  app.core.catalog.runtime(app.session.id).view.items.filter((item) => item.kind === 'aside');

test('a side question is answered from the context and never becomes a part of it', async () => {
  await using model = await startScriptedModel({
    script: ['Hello.', 'By the way: two.', 'You are welcome.'],
  });
  await using app = await startCore({ modelUrl: model.url });
  await app.turn('hello');
  await app.core.asides.ask(app.session.id, 'how many numbers?');
  await app.turn('thanks');
  expect(asidesOf(app)).toMatchObject([
    { question: 'how many numbers?', answer: { text: 'By the way: two.', stopped: false } },
  ]);
  const [, aside, after] = model.requests;
  expect(aside?.body).toMatchObject({ tool_choice: 'none', tools: model.requests[0]?.body.tools });
  expect(aside?.body.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
  expect(JSON.stringify(after?.body.messages)).not.toMatch(/how many numbers|By the way/);
});

test('it is asked while a turn runs, with the calls at work left out, and the turn replays', async () => {
  await using model = await startScriptedModel({
    otherwise: ({ messages }) => {
      if (String(messages.at(-1)?.content).includes('what is it doing?')) return 'It waits.';
      return messages.at(-1)?.role === 'tool'
        ? 'Done.'
        : calls('run_command', { command: 'sleep 1; echo over' });
    },
  });
  await using app = await startCore({ modelUrl: model.url, approve: 'allow_once' });
  const running = app.event((event) => event.type === 'call.state' && event.state === 'running');
  app.core.turns.start({ sessionId: app.session.id, text: 'wait a little' });
  await running;
  await app.core.asides.ask(app.session.id, 'what is it doing?');
  expect(app.core.turns.isRunning(app.session.id)).toBe(true);
  await app.core.turns.whenIdle(app.session.id);
  expect(model.requests[1]?.body.messages.map(({ role }) => role)).toEqual(['system', 'user', 'user']);
  expect(asidesOf(app)).toMatchObject([{ answer: { text: 'It waits.' } }]);
  const text = await writeRecording(app.core.store, app.session.id, 'test');
  expect(await replaySession(readRecording(text))).toMatchObject({ equal: true, divergences: [] });
});

test('a stopped answer keeps what had come; a failed one says why', async () => {
  await using model = await startScriptedModel({
    script: [
      'Hello.',
      { text: 'a long answer that never ends', holdAfterChars: 6 },
      { status: 401, body: { error: { message: 'no such key' } } },
    ],
  });
  await using app = await startCore({ modelUrl: model.url });
  await app.turn('hello');
  const answered = app.core.asides.ask(app.session.id, 'one');
  await new Promise<void>((resolve) => {
    const stop = app.core.asides.onChange(() => {
      const [live] = app.core.asides.list();
      if (!live?.text.startsWith('a long')) return;
      stop();
      app.core.asides.stop(live.asideId);
      resolve();
    });
  });
  await answered;
  await app.core.asides.ask(app.session.id, 'two');
  expect(asidesOf(app)).toMatchObject([
    { answer: { text: 'a long', stopped: true } },
    { answer: { text: '', stopped: false, error: { code: 'provider_auth' } } },
  ]);
});
