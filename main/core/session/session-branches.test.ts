import { join } from 'node:path';
import { expect, test } from 'vitest';
import { calls, type ScriptStep } from '../../../e2e/support/scripted-model/script-reply';
import { startScriptedModel } from '../../../e2e/support/scripted-model/scripted-model';
import type { MessageId, SessionId } from '../../../shared/model/ids';
import type { ItemView, SessionView } from '../../../shared/model/session-view';
import { Sql } from '../store/sql';
import { startCore, type TestCore } from '../testing/start-core';

type UserItem = Extract<ItemView, { kind: 'user' }>;

const userItems = (view: SessionView): UserItem[] =>
  view.items.filter((item): item is UserItem => item.kind === 'user');
const viewOf = (app: TestCore, id: SessionId = app.session.id): SessionView =>
  app.core.catalog.runtime(id).view;
const messageId = (app: TestCore, text: string): MessageId => {
  const item = userItems(viewOf(app)).find((each) => each.text === text);
  if (!item) throw new Error(`nobody said ${text}`);
  return item.messageId;
};
const contents = (app: TestCore, id: SessionId): string[] =>
  app.core.catalog.runtime(id).history.messages.map(({ content }) => content);
const shown = (view: SessionView): string[] =>
  view.items.map((item) => ('text' in item && item.text !== '' ? item.text : item.kind));

async function chat(...script: ScriptStep[]) {
  const model = await startScriptedModel({ script });
  const app = await startCore({ modelUrl: model.url, approve: 'allow_once' });
  return {
    model,
    app,
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]();
      await model.close();
    },
  };
}

test('M3: a fork ends before a message or after what answered it, and lives without its parent', async () => {
  await using run = await chat('One.', 'Two.', 'Three.', 'In the fork.');
  const { app, model } = run;
  for (const text of ['first', 'second', 'third']) await app.turn(text);
  const { branches } = app.core;
  const id = app.session.id;
  const before = await branches.fork({ id, messageId: messageId(app, 'second'), keep: 'before' });
  const through = await branches.fork({ id, messageId: messageId(app, 'second'), keep: 'through' });
  const whole = await branches.fork({ id, messageId: null, keep: 'through' });
  expect(contents(app, before.id)).toEqual(['first', 'One.']);
  expect(contents(app, through.id)).toEqual(['first', 'One.', 'second', 'Two.']);
  expect(contents(app, whole.id)).toEqual(contents(app, id));
  expect(through).toMatchObject({ title: 'first (fork)', forkedFrom: id, messageCount: 4, activity: 'idle' });
  expect(shown(viewOf(app, through.id))).toEqual(['first', 'One.', 'end', 'second', 'Two.', 'end']);
  await app.core.sessions.remove(id);
  app.core.turns.start({ sessionId: through.id, text: 'on here' });
  await app.core.turns.whenIdle(through.id);
  const sent = model.requests[3]?.body.messages.slice(1).map(({ content }) => content);
  expect(sent).toEqual(['first', 'One.', 'second', 'Two.', 'on here']);
  expect(contents(app, before.id)).toEqual(['first', 'One.']);
});

test('case-H08: a fork from a step in mid-turn closes the turn in the copy and keeps calls with their results', async () => {
  await using run = await chat(
    calls('glob', { pattern: '*' }),
    calls('list_dir', { path: '' }),
    'Done.',
    'And on.',
  );
  const { app, model } = run;
  const turn = await app.turn('look');
  const steps = turn.view.items.filter((item) => item.kind === 'step');
  const copy = await app.core.branches.fork({
    id: app.session.id,
    messageId: steps[0]?.messageId ?? null,
    keep: 'through',
  });
  const view = viewOf(app, copy.id);
  expect(view.live).toBeNull();
  expect(view.items.map((item) => item.kind)).toEqual(['user', 'step', 'end']);
  expect(view.items.at(-1)).toMatchObject({ reason: 'stopped' });
  app.core.turns.start({ sessionId: copy.id, text: 'on' });
  await app.core.turns.whenIdle(copy.id);
  const roles = model.requests[3]?.body.messages.map(({ role }) => role);
  expect(roles).toEqual(['system', 'user', 'assistant', 'tool', 'user']);
});

test('M3: a rewind takes the chat back, keeps what was cut off as a fork, and the next request knows nothing of it', async () => {
  await using run = await chat(
    calls('todo', { action: 'create', items: [{ id: '1', content: 'Keep me', status: 'pending' }] }),
    'One.',
    calls('todo', { action: 'create', items: [{ id: '1', content: 'Drop me', status: 'completed' }] }),
    'Two.',
    'Another two.',
  );
  const { app, model } = run;
  await app.turn('first');
  await app.turn('second');
  const id = app.session.id;
  const events: string[] = [];
  app.core.subscribe(id, (event) => events.push(event.type));
  const { text, kept } = await app.core.branches.rewind(id, messageId(app, 'second'), true);
  expect(text).toBe('second');
  expect(events).toEqual(['session.rewound']);
  expect(kept).toMatchObject({ title: 'first (before rewind)', forkedFrom: id });
  expect(contents(app, kept?.id ?? id).at(-1)).toBe('Two.');
  const view = viewOf(app);
  expect(shown(view)).toEqual(['first', 'step', 'One.', 'end']);
  expect(view.todos).toMatchObject([{ content: 'Keep me', status: 'pending' }]);
  expect(app.core.sessions.get(id).messageCount).toBe(3);
  expect(app.core.store.context.userTexts(id).map((said) => said.text)).toEqual(['first']);
  await app.turn('second, better');
  const sent = model.requests.at(-1)?.body.messages.map(({ content }) => content);
  expect(sent).not.toContain('Two.');
  expect(sent?.at(-1)).toBe('second, better');
  // The log only grew: what was voided is still stored.
  const stored = app.core.store.events.after(id, 0).events;
  expect(stored.map(({ seq }) => seq)).toEqual(stored.map((_, i) => i + 1));
  expect(JSON.stringify(stored)).toContain('Drop me');
});

test('a rewound session opens after a restart as it was left, and can be rewound again', async () => {
  await using run = await chat('One.', 'Two.', 'Three.', 'Four.');
  const { app, model } = run;
  for (const text of ['first', 'second', 'third']) await app.turn(text);
  await app.core.branches.rewind(app.session.id, messageId(app, 'third'), false);
  await app.core.branches.rewind(app.session.id, messageId(app, 'second'), false);
  const before = viewOf(app);
  const { home, project } = app;
  await app.close();
  const again = await startCore({ modelUrl: model.url, home, project });
  try {
    expect(viewOf(again, app.session.id)).toEqual(before);
    expect(contents(again, app.session.id)).toEqual(['first', 'One.']);
    expect(
      again.core.store.search.find('second', { projectId: null, sessions: 9, hitsPerSession: 3 }),
    ).toEqual([]);
  } finally {
    await again.close();
  }
});

test('fault-F116: a rewind refuses to go across a part that is missing or can not be read; a fork still can', async () => {
  await using run = await chat('One.', 'Two.', 'Three.');
  const { app } = run;
  for (const text of ['first', 'second', 'third']) await app.turn(text);
  const ids = ['first', 'third'].map((text) => messageId(app, text));
  const [first, third] = ids as [MessageId, MessageId];
  const sql = Sql.open(join(app.home, 'lathe.db'));
  const second = app.core.store.branches.turnStart(app.session.id, userItems(viewOf(app))[1]?.turnId ?? '');
  sql.run('DELETE FROM events WHERE session_id = ? AND seq = ?', app.session.id, (second?.seq ?? 0) + 2);
  sql.close();
  await expect(app.core.branches.rewind(app.session.id, first, false)).rejects.toMatchObject({
    code: 'conflict',
  });
  expect(userItems(viewOf(app))).toHaveLength(3);
  const fork = await app.core.branches.fork({ id: app.session.id, messageId: first, keep: 'through' });
  expect(contents(app, fork.id)).toEqual(['first', 'One.']);
  await app.core.branches.rewind(app.session.id, third, false);
  expect(userItems(viewOf(app))).toHaveLength(2);
});

test('a running session is not rewound, an interjection is no place to go back to, and neither is another session’s message', async () => {
  await using run = await chat({ text: 'a long answer that hangs', holdAfterChars: 6 }, 'Next.');
  const { app } = run;
  const streaming = app.event((event) => event.type === 'text.delta');
  app.core.turns.start({ sessionId: app.session.id, text: 'go' });
  await streaming;
  const { branches, turns } = app.core;
  await expect(branches.rewind(app.session.id, messageId(app, 'go'), false)).rejects.toMatchObject({
    code: 'busy',
  });
  const fork = await branches.fork({ id: app.session.id, messageId: null, keep: 'through' });
  expect(viewOf(app, fork.id).live).toBeNull();
  turns.interject(app.session.id, 'by the way');
  await turns.stop(app.session.id);
  const between = userItems(viewOf(app)).find((item) => item.interjection)?.messageId as MessageId;
  await expect(branches.rewind(app.session.id, between, false)).rejects.toMatchObject({
    code: 'bad_argument',
  });
  await expect(branches.rewind(app.session.id, 'x' as MessageId, false)).rejects.toMatchObject({
    code: 'not_found',
  });
});

test('a title that a person gave is replaced by nobody else', async () => {
  await using run = await chat('One.');
  const { app } = run;
  const { catalog, sessions } = app.core;
  const id = app.session.id;
  await app.turn('first');
  expect(catalog.setTitle(id, ' A model’s\n title ', 'model')).toBe(true);
  expect(sessions.get(id).title).toBe('A model’s title');
  sessions.rename(id, 'Mine');
  expect(catalog.setTitle(id, 'Not mine', 'model')).toBe(false);
  expect(sessions.get(id).title).toBe('Mine');
});
