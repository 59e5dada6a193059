import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import type { NextContext } from '../../../shared/contract/context';
import { calls } from '../../../e2e/support/scripted-model/script-reply';
import { startScriptedModel } from '../../../e2e/support/scripted-model/scripted-model';
import { startCore, type TestCore } from '../testing/start-core';

const never = new AbortController().signal;
const big = 'line of text\n'.repeat(220);
const files = {
  'a.txt': big,
  'b.txt': big,
  'AGENTS.md': 'Be brief.',
  '.cursor/rules/txt.mdc': '---\nglobs: "*.txt"\n---\nText files end with a newline.',
};

/** A session with one turn that read two files. */
async function startRead() {
  const model = await startScriptedModel({
    script: [
      calls('read_file', { path: 'a.txt' }),
      calls('read_file', { path: 'b.txt' }, 'Now the other.'),
      'Both read.',
    ],
    otherwise: 'ok',
  });
  const app = await startCore({ files, modelUrl: model.url });
  await app.turn('Read both files.');
  return { model, app };
}

const look = (app: TestCore, summarised = false): Promise<NextContext> =>
  app.core.context.next(app.session.id, summarised);

test('context lens: the items are the next request, in its order, to the byte', async () => {
  const { model, app } = await startRead();
  await using _app = app;
  await using _model = model;
  const { items, tokens, window, rules } = await look(app);
  expect(items.map(({ kind, title }) => [kind, title])).toEqual([
    ['part', 'Instructions'],
    ['part', 'Project layout'],
    ['part', 'Rules'],
    ['tools', expect.stringMatching(/^\d+ tools$/)],
    ['user', 'Read both files.'],
    ['assistant', '1 call'],
    ['result', expect.stringContaining('a.txt')],
    ['assistant', 'Now the other. · 1 call'],
    ['result', expect.stringContaining('b.txt')],
    ['assistant', 'Both read.'],
  ]);
  expect(tokens).toBe(items.reduce((sum, item) => sum + item.tokens, 0));
  expect(window).toBe(128_000);
  expect(rules.map(({ path, active }) => [path, active])).toEqual([
    ['AGENTS.md', true],
    ['.cursor/rules/txt.mdc', true],
  ]);
  await app.turn('Next.');
  const [system, ...sent] = model.requests.at(-1)?.body.messages ?? [];
  const texts = await Promise.all(items.map(({ id }) => app.core.context.item(app.session.id, id)));
  const parts = texts.slice(0, 3).map((text) => text.sent);
  expect(parts.join('\n\n')).toBe(system?.content);
  const messages = texts.slice(4);
  const said = messages.flatMap(({ sent: text }, at) => {
    const content = sent[at]?.content;
    return typeof content === 'string' && content !== '' ? [{ text, content }] : [];
  });
  // All but the one that is a call and nothing else.
  expect(said).toHaveLength(messages.length - 1);
  expect(said.filter(({ text, content }) => !text?.includes(content))).toEqual([]);
  expect(sent).toHaveLength(messages.length + 1);
});

test('pin, collapse, evict and restore change the next request and survive a restart', async () => {
  const { model, app } = await startRead();
  await using _model = model;
  const { items } = await look(app);
  const [first, second] = items.filter(({ kind }) => kind === 'result');
  if (!first || !second) throw new Error('no results');
  const mark = (id: string, action: 'pin' | 'unpin' | 'evict' | 'collapse' | 'restore') =>
    app.core.context.mark(app.session.id, id, action);
  await mark(first.id, 'evict');
  await mark(second.id, 'collapse');
  await app.turn('Next.');
  const results = (): string[] =>
    (model.requests.at(-1)?.body.messages ?? [])
      .filter(({ role }) => role === 'tool')
      .map(({ content }) => String(content));
  expect(results()[0]).toContain('result left out');
  expect(results()[1]?.length).toBeLessThan(2_200);
  const states = async (): Promise<string[]> =>
    (await look(app)).items.filter(({ kind }) => kind === 'result').map(({ state }) => state);
  expect(await states()).toEqual(['evicted', 'shrunk']);
  await app.close();
  await using again = await startCore({ modelUrl: model.url, home: app.home, project: app.project });
  await again.turn('After the restart.');
  expect(results()[0]).toContain('result left out');
  await again.core.context.mark(again.session.id, first.id, 'restore');
  await again.core.context.mark(again.session.id, second.id, 'restore');
  await again.core.context.mark(again.session.id, second.id, 'pin');
  await again.turn('Whole again.');
  expect(results().every((text) => text.includes(big.slice(0, 500)) || text.length > 2_500)).toBe(true);
  await expect(again.core.context.mark(again.session.id, second.id, 'evict')).rejects.toMatchObject({
    code: 'bad_argument',
    message: 'This item is pinned.',
  });
  await expect(again.core.context.mark(again.session.id, 'part:instructions', 'evict')).rejects.toMatchObject(
    {
      code: 'bad_argument',
    },
  );
  await expect(again.core.context.mark(again.session.id, 'nobody', 'evict')).rejects.toMatchObject({
    code: 'not_found',
  });
});

test('a summary is one item, what it stands for can be listed and pinned, and its history is told', async () => {
  const summary = Array.from({ length: 40 }, (_, n) => `fact${n} about file${n}.ts`).join('. ');
  await using model = await startScriptedModel({
    otherwise: ({ messages }) => (String(messages[0]?.content).startsWith('You condense') ? summary : 'ok'),
  });
  await using app = await startCore({ modelUrl: model.url });
  for (let n = 0; n < 6; n += 1) await app.turn(`Question ${n} ${'x'.repeat(2_000)}`);
  const changes: string[] = [];
  const stop = app.core.context.onChange((id) => changes.push(id));
  const done = await app.core.context.compact(app.session.id, '', never);
  const short = await look(app);
  expect(short.unlisted).toBeGreaterThan(0);
  expect(short.items.find(({ kind }) => kind === 'summary')?.title).toBe(
    `Summary of ${short.unlisted} messages`,
  );
  expect(short.compactions).toMatchObject([
    { id: done?.compactionId, state: 'standing', madeBy: 'command-line/mock' },
  ]);
  const all = await look(app, true);
  const lost = all.items.filter(({ state }) => state === 'summarised');
  expect(lost).toHaveLength(short.unlisted);
  expect(lost.every(({ tokens }) => tokens === 0)).toBe(true);
  await app.core.context.mark(app.session.id, lost[0]?.id ?? '', 'pin');
  expect((await look(app)).items.some(({ state }) => state === 'pinned')).toBe(true);
  await app.turn('Next.');
  expect(JSON.stringify(model.requests.at(-1)?.body)).toContain(`Question 0 ${'x'.repeat(2_000)}`);
  await app.core.context.undoCompaction(app.session.id, done?.compactionId ?? '');
  expect((await look(app)).compactions).toMatchObject([{ state: 'undone' }]);
  expect(changes.length).toBeGreaterThanOrEqual(3);
  stop();
});

test('what is looked up ahead of a message counts for that message, in that folder, and for no later one', async () => {
  await using model = await startScriptedModel({ otherwise: 'ok' });
  await using app = await startCore({ files, modelUrl: model.url });
  const { context } = app.core;
  const gitLine = async (): Promise<string | undefined> =>
    (await context.turnFacts(app.session.id, [])).lines[1];
  expect(await gitLine()).toBeUndefined();
  execFileSync('git', ['init', '-q', '-b', 'early'], { cwd: app.project });
  context.expectMessage(app.project);
  const ahead = gitLine();
  expect(await ahead).toContain('early');
  execFileSync('git', ['symbolic-ref', 'HEAD', 'refs/heads/later'], { cwd: app.project });
  expect(await gitLine()).toContain('later');
  context.expectMessage(tmpdir());
  expect(await gitLine()).toContain('later');
});
