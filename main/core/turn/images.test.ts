import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { given, heavyPng, png, SVG } from '../../../e2e/support/pictures';
import { calls, type ChatBody, type ScriptStep } from '../../../e2e/support/scripted-model/script-reply';
import { startScriptedModel, type ScriptedModel } from '../../../e2e/support/scripted-model/scripted-model';
import type { GivenImage } from '../../../shared/image/image-facts';
import type { MessageId } from '../../../shared/model/ids';
import type { CallView, SessionView } from '../../../shared/model/session-view';
import { imagesOf, storedImage } from '../image/stored-image';
import { readRecording, writeRecording } from '../recording/recording-file';
import { replaySession } from '../recording/replay-session';
import { editMessage } from '../session/edit-message';
import { startCore, type StartCoreOptions, type TestCore } from '../testing/start-core';

const BLUE = png(60, 40);
const RED = png(30, 20, [200, 30, 30]);

interface Bench extends AsyncDisposable {
  app: TestCore;
  model: ScriptedModel;
  send(text: string, ...images: GivenImage[]): Promise<void>;
  view(): SessionView;
  callNamed(tool: string): CallView | undefined;
  /** Messages of the nth request but for the system message. */
  sent(request: number): ChatBody['messages'];
}

/** @param sees the user's word on the model; '' for none */
async function bench(
  sees: string,
  script: ScriptStep[],
  files: Record<string, Buffer | string> = {},
  options: Partial<StartCoreOptions> = {},
): Promise<Bench> {
  const model = await startScriptedModel({ script, otherwise: 'Fine.' });
  const app = await startCore({ modelUrl: model.url, approve: 'allow_once', ...options });
  if (sees !== '') await app.core.settings.set('chat.model.sees', sees);
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(app.project, name), bytes);
  const view = (): SessionView => app.core.catalog.runtime(app.session.id).view;
  return {
    ...{ app, model, view },
    send: async (text, ...images) => {
      app.core.turns.start({ sessionId: app.session.id, text, images });
      await app.core.turns.whenIdle(app.session.id);
    },
    callNamed: (tool) =>
      view()
        .items.flatMap((item) => (item.kind === 'step' ? item.calls : []))
        .find((call) => call.tool === tool),
    sent: (request) => (model.requests[request]?.body.messages ?? []).slice(1),
    [Symbol.asyncDispose]: async () => {
      await app[Symbol.asyncDispose]();
      await model.close();
    },
  };
}

const part = (bytes: Buffer, mime = 'image/png') => ({
  type: 'image_url',
  image_url: { url: `data:${mime};base64,${bytes.toString('base64')}` },
});

const textOf = (message: ChatBody['messages'][number] | undefined): string =>
  JSON.stringify(message?.content);

test('images of a message go to the model, are shown by view and event, and are there after a restart', async () => {
  await using first = await bench('', ['A blue one.']);
  const { app } = first;
  await first.send('What is this?', given(BLUE, 'image/png', 'blue.png'), given(RED, 'image/jpeg'));
  expect(first.sent(0).at(-1)).toMatchObject({
    role: 'user',
    // The kind is what the bytes say.
    content: [
      { type: 'text', text: expect.stringMatching(/^What is this/) as string },
      part(BLUE),
      part(RED),
    ],
  });
  const item = first.view().items.find((each) => each.kind === 'user');
  expect(item?.images).toEqual([
    { mime: 'image/png', width: 60, height: 40, bytes: BLUE.length, name: 'blue.png' },
    { mime: 'image/png', width: 30, height: 20, bytes: RED.length },
  ]);
  await app.close();
  await using again = await startCore({ modelUrl: first.model.url, home: app.home, project: app.project });
  const { history, view } = again.core.catalog.runtime(app.session.id);
  expect(view.items[0]).toMatchObject({ kind: 'user', images: [{ name: 'blue.png' }, { width: 30 }] });
  const { messageId } = item as { messageId: MessageId };
  expect(storedImage(history, messageId, 1)).toEqual({ mime: 'image/png', base64: RED.toString('base64') });
  expect(() => storedImage(history, messageId, 2)).toThrow(/not in the session/);
  await again.turn('And now?');
  expect(first.sent(1)[0]).toEqual(first.sent(0).at(-1));
});

test('an image alone is a message', async () => {
  await using run = await bench('', ['Nice.']);
  await run.send('', given(BLUE));
  expect(run.sent(0).at(-1)?.content).toEqual([part(BLUE)]);
  expect(run.view().items[0]).toMatchObject({ kind: 'user', text: '' });
  expect(run.view().lastEnd?.reason).toBe('done');
});

test('too many bytes, too many images: refused with the numbers, and nothing is left of the message', async () => {
  await using run = await bench('', ['Fine.']);
  const start = (...images: GivenImage[]) =>
    run.app.core.turns.start({ sessionId: run.app.session.id, text: 'look', images });
  expect(() => start(given(heavyPng(5 * 1024 * 1024), 'image/png', 'big.png'))).toThrow(
    /big\.png has 5\.0 MB; an image can have 5\.0 MB at most/,
  );
  expect(() => start(...Array.from({ length: 11 }, () => given(BLUE)))).toThrow(/10 images; this one has 11/);
  const four = heavyPng(4.2 * 1024 * 1024);
  expect(() => start(...Array.from({ length: 5 }, () => given(four)))).toThrow(/21\.0 MB together/);
  expect(run.view().items).toEqual([]);
  await run.send('look', given(BLUE));
  expect(run.sent(0)).toHaveLength(1);
});

test('fault-F110: a pasted SVG, an empty and a cut image become text that says why; later turns are unaffected', async () => {
  await using run = await bench('', ['I see one.', 'Next.']);
  await run.send(
    'look',
    given(SVG, 'image/svg+xml'),
    given(Buffer.alloc(0)),
    given(BLUE.subarray(0, 40)),
    given(RED),
  );
  const [text, image, ...rest] = run.sent(0)[0]?.content as { type: string; text?: string }[];
  expect([image, rest]).toEqual([part(RED), []]);
  expect(text?.text).toMatch(
    /SVG is text.*\n.*it is empty \(0 bytes\).*\n.*a PNG image; its data ends too early/,
  );
  expect(run.view().items[0]).toMatchObject({
    kind: 'user',
    text: expect.stringMatching(/^look\n\(Left out/) as string,
  });
  await run.send('go on');
  expect(run.sent(1)[0]).toEqual(run.sent(0)[0]);
  expect(run.view().lastEnd?.reason).toBe('done');
});

test('fault-F110: bad images in stored history are replaced by text at every request', async () => {
  await using run = await bench('', ['One.', 'Two.']);
  const { app } = run;
  const images = [
    given(SVG, 'image/svg+xml'),
    given(BLUE, 'image/jpeg'),
    { mime: 'image/png', base64: '%%%' },
  ];
  await run.send('first');
  app.core.store.events.addMessages(app.session.id, 't', [
    { id: 'bad', message: { role: 'user', content: 'old', images } },
    { id: 'none', message: { role: 'user', content: '', images: [{ mime: 'image/png', base64: '' }] } },
  ]);
  app.core.catalog.runtime(app.session.id).history.release();
  await run.send('second');
  await run.send('third');
  const bad = run.sent(1).find((message) => textOf(message).includes('old'));
  expect(bad?.content).toEqual([
    { type: 'text', text: expect.stringMatching(/^old\n.*SVG is text.*\n.*its data is damaged/) as string },
    part(BLUE),
  ]);
  expect(textOf(run.sent(1)[3])).toContain('it is empty (0 bytes)');
  expect(run.sent(2).slice(0, 4)).toEqual(run.sent(1).slice(0, 4));
});

test('read_file: an image follows behind the results of its reply, is shown with its call, and the prefix stays', async () => {
  const both: ScriptStep = {
    calls: [
      { tool: 'read_file', args: { path: 'a.png' } },
      { tool: 'read_file', args: { path: 'note.txt' } },
      { tool: 'read_file', args: { path: 'b.dat' } },
    ],
  };
  await using run = await bench('mock', [both, calls('read_file', { path: 'note.txt' }), 'Seen.', 'Later.'], {
    'a.png': BLUE,
    'b.dat': RED,
    'note.txt': 'x',
  });
  await run.send('look at them');
  await run.send('and then?');
  const after = run.sent(1);
  expect(after.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool', 'tool', 'user']);
  expect(after[2]?.content).toMatch(
    /^`a\.png` is a PNG image \(\d+ bytes, 60×40 pixels\)\. It follows as an image\.$/,
  );
  expect(after[5]?.content).toEqual([
    { type: 'text', text: expect.stringMatching(/`a\.png` \(PNG, 60×40 pixels\)\n`b\.dat`/) as string },
    part(BLUE),
    part(RED),
  ]);
  for (const request of [2, 3]) expect(run.sent(request).slice(0, after.length)).toEqual(after);
  const [shown] = run.callNamed('read_file')?.images ?? [];
  expect(shown).toMatchObject({ mime: 'image/png', width: 60, index: 0, name: 'a.png' });
  const { history } = run.app.core.catalog.runtime(run.app.session.id);
  expect(storedImage(history, shown?.messageId ?? '', 0).base64).toBe(BLUE.toString('base64'));
  // The user said two things; the note is none of them.
  expect(run.view().items.filter(({ kind }) => kind === 'user')).toHaveLength(2);
});

test('read_file describes images for models that do not see, and says how to allow it where nobody knows', async () => {
  const script = (): ScriptStep[] => [calls('read_file', { path: 'a.png' }), 'I see.'];
  await using unknown = await bench('', script(), { 'a.png': BLUE });
  await unknown.send('look');
  expect(unknown.sent(1).at(-1)?.content).toMatch(/not known whether this model sees.*`chat\.model\.sees`/);
  await using blind = await bench('!mock', script(), { 'a.png': BLUE });
  await blind.send('look');
  expect(blind.sent(1).at(-1)).toMatchObject({ role: 'tool' });
  expect(blind.sent(1).at(-1)?.content).toMatch(/this model does not see images/);
  expect(blind.callNamed('read_file')?.images).toBeUndefined();
});

test('fault-F110: read_file of images that are cut, too wide, too heavy or none says so, and the turn goes on', async () => {
  const names = ['cut.png', 'wide.png', 'heavy.png', 'huge.png', 'drawing.svg', 'empty.png', 'fake.png'];
  const script: ScriptStep[] = [
    { calls: names.map((path) => ({ tool: 'read_file', args: { path } })) },
    'Well.',
    'Fine.',
  ];
  await using run = await bench('mock', script, {
    'cut.png': BLUE.subarray(0, 60),
    'wide.png': png(8001, 2),
    'heavy.png': heavyPng(6 * 1024 * 1024),
    'huge.png': heavyPng(9 * 1024 * 1024),
    'drawing.svg': SVG,
    'empty.png': '',
    'fake.png': Buffer.from([1, 0, 2, 3]),
  });
  await run.send('look');
  const results = run
    .sent(1)
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => String(content));
  expect(results[0]).toMatch(/PNG image .*60×40.*can't be shown: its data ends too early/);
  expect(results[1]).toMatch(/8001×2 pixels.*at most 8000 a side/);
  expect(results[2]).toMatch(/6\.0 MB, and at most 5\.0 MB/);
  expect(results[3]).toMatch(/10×10 pixels.*more than 5 MB/);
  expect(results[4]).toMatch(/1\| <\?xml/);
  expect(results[5]).toBe('(empty file)');
  expect(results[6]).toMatch(/binary file/);
  expect(run.sent(1).at(-1)?.role).toBe('tool');
  await run.send('go on');
  expect(run.view().lastEnd?.reason).toBe('done');
});

test('a model that does not see gets a line in place of each image; one that sees gets them again', async () => {
  await using run = await bench('!mock', ['Can’t see.', 'Now I do.']);
  await run.send('look', given(BLUE));
  expect(textOf(run.sent(0).at(-1))).toMatch(/look.*an image \(PNG, 60×40 pixels\).*does not see images/);
  await run.app.core.settings.set('chat.model.sees', 'mock');
  await run.send('and now?');
  expect(run.sent(1)[0]?.content).toEqual([{ type: 'text', text: 'look' }, part(BLUE)]);
});

test('H11: an interjection brings its images along', async () => {
  await using run = await bench(
    '',
    [calls('write_file', { path: 'x', content: 'x' }), 'Got it.'],
    {},
    {
      approve: () => {
        run.app.core.turns.interject(run.app.session.id, 'like this', [given(RED), given(SVG)]);
        return 'allow_once';
      },
    },
  );
  await run.send('draw');
  expect(run.sent(1).at(-1)?.content).toEqual([
    { type: 'text', text: expect.stringMatching(/^like this\n.*SVG is text/) as string },
    part(RED),
  ]);
  expect(run.view().items.find((item) => item.kind === 'user' && item.interjection)).toMatchObject({
    images: [{ width: 30 }],
  });
});

test('a session with images replays byte for byte, goes through export and import, and is forked with them', async () => {
  const script: ScriptStep[] = [calls('read_file', { path: 'a.png' }), 'Seen.', 'Again.'];
  await using run = await bench('mock', script, { 'a.png': BLUE });
  const { core, session, home } = run.app;
  await run.send('look', given(RED));
  const result = await replaySession(readRecording(await writeRecording(core.store, session.id, 'test')));
  expect(result.divergences).toEqual([]);
  expect(result.firstDifference).toBeNull();
  await core.archive.exportTo(session.id, join(home, 'out'));
  const target = { projectId: session.projectId, projectPath: run.app.project, mode: 'agent' } as const;
  const copy = await core.archive.importFrom(join(home, 'out'), target);
  expect(copy.skipped).toBe(0);
  const step = run.view().items.find((item) => item.kind === 'step');
  const fork = await core.branches.fork({
    id: session.id,
    messageId: step?.kind === 'step' ? step.messageId : null,
    keep: 'through',
  });
  for (const id of [copy.session.id, fork.id]) {
    const { history, view } = core.catalog.runtime(id);
    const call = view.items.flatMap((item) => (item.kind === 'step' ? item.calls : []))[0];
    const shown = call?.images?.[0];
    expect(storedImage(history, shown?.messageId ?? '', shown?.index ?? 9).base64).toBe(
      BLUE.toString('base64'),
    );
    expect(view.items[0]).toMatchObject({ kind: 'user', text: 'look', images: [{ width: 30 }] });
  }
});

test('an edited message keeps its images', async () => {
  await using run = await bench('', ['One.', 'Two.']);
  await run.send('look', given(BLUE));
  const item = run.view().items[0];
  const { core, session } = run.app;
  const messageId = (item as { messageId: MessageId }).messageId;
  const images = imagesOf(core.catalog.runtime(session.id).history, messageId);
  await editMessage(
    { id: session.id, messageId, text: 'look again', how: 'rewind', mentions: [], openFiles: [], images },
    core.branches,
    core.turns,
  );
  await core.turns.whenIdle(session.id);
  expect(run.sent(1)).toHaveLength(1);
  expect(run.sent(1)[0]?.content).toEqual([{ type: 'text', text: 'look again' }, part(BLUE)]);
});

test('a server that refuses images costs one more try: the turn goes on, the user is told, later turns know', async () => {
  const no = { status: 400, body: { error: { message: 'image input is not supported' } } };
  await using run = await bench('', [no, 'Without it, then.', 'Next.']);
  await run.send('look', given(BLUE));
  const { items, lastEnd } = run.view();
  expect(lastEnd?.reason).toBe('done');
  expect(items.find(({ kind }) => kind === 'notice')).toMatchObject({
    tone: 'warn',
    text: expect.stringMatching(/mock does not take images.*chat\.model\.sees/) as unknown,
  });
  expect(textOf(run.sent(1)[0])).toMatch(/an image \(PNG, 60×40 pixels\)/);
  await run.send('go on');
  expect(run.model.requests).toHaveLength(3);
  expect(JSON.stringify(run.sent(2))).not.toContain('image_url');
  const { core, session } = run.app;
  const result = await replaySession(readRecording(await writeRecording(core.store, session.id, 'test')));
  expect([result.divergences, result.firstDifference]).toEqual([[], null]);
  // The user knows better.
  await core.settings.set('chat.model.sees', 'mock');
  await run.send('again');
  expect(JSON.stringify(run.sent(3)[0])).toContain('image_url');
});

test('X2: a summary is asked for without the images, which go with what it stands for', async () => {
  const summary = 'The user showed a blue picture and asked what it is; it was said to be blue. '.repeat(6);
  const step: ScriptStep = ({ tools = [] }) => (tools.length === 0 ? summary : 'An answer.');
  await using run = await bench(
    'mock',
    Array.from({ length: 12 }, () => step),
  );
  await run.send('look at this', given(png(900, 900)));
  for (const text of ['second', 'third', 'fourth']) await run.send(text);
  const { core, session } = run.app;
  expect(await core.context.compact(session.id, '', AbortSignal.timeout(30_000))).not.toBeNull();
  const asked = JSON.stringify(run.model.requests.find(({ body }) => !body.tools)?.body);
  expect(asked).toContain('[image 900×900 image/png]');
  expect(asked).not.toContain('image_url');
  await run.send('and now?');
  expect(JSON.stringify(run.model.requests.at(-1)?.body)).not.toContain('image_url');
});
