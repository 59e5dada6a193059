import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { given, png, SVG } from '../../../e2e/support/pictures';
import { calls } from '../../../e2e/support/scripted-model/script-reply';
import { startScriptedModel } from '../../../e2e/support/scripted-model/scripted-model';
import type { Core } from '../core';
import { startCore, type TestCore } from '../testing/start-core';

const waits = calls('run_command', { command: 'echo' });
/** Resolves once an approval can be answered. */
const asked = (app: TestCore): Promise<void> =>
  new Promise((resolve) => {
    const stop = app.core.approvals.onChange(() => {
      stop();
      resolve();
    });
  });
const finished = (app: TestCore, text: string) =>
  app.event((event) => event.type === 'turn.finished' && event.text === text);
const put = (app: TestCore, text: string) =>
  app.core.queue.put({ sessionId: app.session.id, text, mentions: [] });
const texts = (app: TestCore) => app.core.queue.list(app.session.id).map(({ text }) => text);
const answer = (core: Core): void => {
  for (const { id } of core.approvals.pending()) core.approvals.reply(id, 'allow_once', 'user');
};
const said = (app: TestCore) =>
  app.core.catalog
    .runtime(app.session.id)
    .view.items.flatMap((item) => (item.kind === 'user' ? [item.text] : []));

/** A turn that stands at an approval. */
async function standing(app: TestCore): Promise<void> {
  const approval = asked(app);
  app.core.turns.start({ sessionId: app.session.id, text: 'begin' });
  await approval;
}

test('what waits is sent in order, each as a turn of its own, once the running one has ended', async () => {
  await using model = await startScriptedModel({ script: [waits, 'Ran.', 'One.', 'Two.'] });
  await using app = await startCore({ modelUrl: model.url });
  const told: string[][] = [];
  app.core.queue.onChange((_id, messages) => told.push(messages.map(({ text }) => text)));
  await standing(app);
  put(app, 'first');
  put(app, 'second');
  expect(model.requests).toHaveLength(1);
  const end = finished(app, 'Two.');
  answer(app.core);
  await end;
  expect(said(app)).toEqual(['begin', 'first', 'second']);
  expect(texts(app)).toEqual([]);
  expect(told).toEqual([['first'], ['first', 'second'], ['second'], []]);
  expect(model.requests[2]?.body.messages.at(-1)).toMatchObject({
    role: 'user',
    content: expect.stringMatching(/^first\n/) as string,
  });
});

test('a waiting message can be changed in its place and taken out', async () => {
  await using model = await startScriptedModel({ script: [waits, 'Ran.', 'One.'] });
  await using app = await startCore({ modelUrl: model.url });
  await standing(app);
  const first = put(app, 'first');
  const second = put(app, 'second');
  const changed = app.core.queue.put({
    sessionId: app.session.id,
    id: first.id,
    text: 'FIRST',
    mentions: [],
  });
  expect(changed).toEqual({ ...first, text: 'FIRST' });
  expect(app.core.queue.remove(app.session.id, second.id)).toEqual(second);
  expect(texts(app)).toEqual(['FIRST']);
  expect(() => app.core.queue.remove(app.session.id, second.id)).toThrow(/sent or taken out/);
  const end = finished(app, 'One.');
  answer(app.core);
  await end;
  expect(said(app)).toEqual(['begin', 'FIRST']);
});

test('after Stop and after a fault the queue stands still until it is sent on', async () => {
  await using model = await startScriptedModel({
    script: [waits, { status: 400, body: { error: { message: 'no' } } }, 'Two.'],
  });
  await using app = await startCore({ modelUrl: model.url });
  await standing(app);
  put(app, 'first');
  put(app, 'second');
  await app.core.turns.stop(app.session.id);
  expect(texts(app)).toEqual(['first', 'second']);
  expect(said(app)).toEqual(['begin']);
  const failed = app.event((event) => event.type === 'turn.finished' && event.reason === 'error');
  await app.core.queue.sendNext(app.session.id);
  await failed;
  expect(texts(app)).toEqual(['second']);
  const end = finished(app, 'Two.');
  await app.core.queue.sendNext(app.session.id);
  await end;
  expect(said(app)).toEqual(['begin', 'first', 'second']);
});

test('the queue is there after a restart, is gone with its session, and takes no more than it can keep', async () => {
  await using model = await startScriptedModel({ script: [waits] });
  const first = await startCore({ modelUrl: model.url });
  await standing(first);
  put(first, 'kept');
  expect(() => put(first, 'x'.repeat(300_000))).toThrow(/Too much waits/);
  await first.close();
  await using app = await startCore({ modelUrl: model.url, home: first.home, project: first.project });
  expect(app.session.id).toBe(first.session.id);
  expect(texts(app)).toEqual(['kept']);
  expect(() => put(app, 'nothing to wait for')).toThrow(/No turn is running/);
  const { id } = app.session;
  await app.core.sessions.remove(id);
  expect(app.core.queue.list(id)).toEqual([]);
  await expect(app.core.queue.sendNext(id)).rejects.toMatchObject({ code: 'not_found' });
});

test('images wait with their message over a restart, stay when its words change, and go when it is sent or taken out', async () => {
  await using model = await startScriptedModel({ script: [waits], otherwise: 'Fine.' });
  await using app = await startCore({ modelUrl: model.url });
  await standing(app);
  const image = given(png(9, 9), 'image/png', 'a.png');
  const message = app.core.queue.put({
    sessionId: app.session.id,
    text: '',
    mentions: [],
    images: [image, given(SVG)],
  });
  expect(message).toMatchObject({
    text: expect.stringContaining('SVG is text') as string,
    images: [{ name: 'a.png', width: 9 }],
  });
  const other = app.core.queue.put({ sessionId: app.session.id, text: 'x', mentions: [], images: [image] });
  app.core.queue.put({ sessionId: app.session.id, id: message.id, text: 'see this', mentions: [] });
  expect(() => put(app, '')).toThrow(/needs text or an image/);
  const folder = join(app.home, 'queued-images');
  expect(readdirSync(folder)).toHaveLength(2);
  app.core.queue.remove(app.session.id, other.id);
  expect(readdirSync(folder)).toHaveLength(1);
  await app.close();
  await using again = await startCore({ modelUrl: model.url, home: app.home, project: app.project });
  await again.core.queue.sendNext(again.session.id);
  await again.core.turns.whenIdle(again.session.id);
  expect(model.requests.at(-1)?.body.messages.at(-1)?.content).toMatchObject([
    { text: expect.stringMatching(/^see this/) as string },
    { type: 'image_url', image_url: { url: `data:image/png;base64,${image.base64}` } },
  ]);
  expect(readdirSync(folder)).toEqual([]);
});
