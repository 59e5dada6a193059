import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { calls } from '../../../e2e/support/scripted-model/script-reply';
import { startScriptedModel } from '../../../e2e/support/scripted-model/scripted-model';
import type { SessionId } from '../../../shared/model/ids';
import type { ModelMessage } from '../model/port';
import { SessionCatalog } from '../session/session-catalog';
import { WriterLease } from '../session/writer-lease';
import { openStore } from '../store/open-store';
import type { Store } from '../store/types';
import { scratchFolder } from '../testing/scratch-folder';
import { startCore } from '../testing/start-core';
import { SessionArchive } from './session-archive';

let dir = '';
let store: Store;
let sessions: SessionCatalog;
let archive: SessionArchive;
let projectId = '';
let secrets: string[] = [];

beforeEach(async () => {
  dir = scratchFolder('lathe-archive-');
  store = openStore({ dataDir: join(dir, 'home') });
  projectId = store.projects.open(dir, { name: 'p', device: null, inode: null, isTour: false }).id;
  const newId = () => crypto.randomUUID();
  const fail = (error: unknown): never => {
    throw error;
  };
  sessions = new SessionCatalog(store, new WriterLease(store.state), newId, fail);
  secrets = [];
  archive = new SessionArchive({
    ...{ store, sessions, newId, app: '1.2.3', isRunning: () => false },
    ...{ secrets: () => Promise.resolve(secrets), agents: () => [], onImported: () => undefined },
    places: { env: {}, home: dir },
  });
});
afterEach(async () => {
  store.close();
  await rm(dir, { recursive: true, force: true });
});

const target = () => ({ projectId, projectPath: dir, mode: 'agent' as const });
const imported = (folder: string) => archive.importFrom(folder, target());

async function folderWith(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(dir, 'in-'));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

const jsonl = (...values: unknown[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('');
const historyOf = (id: string): ModelMessage[] =>
  store.events.messages(id).messages.map(({ message }) => message);
const itemsOf = (id: SessionId) => sessions.runtime(id).view.items;

/** Files of an export with what differs between two copies of one session taken out: ids and times. */
async function comparable(folder: string): Promise<Record<string, unknown>> {
  const ids = new Map<string, string>();
  const plain = (name: string, value: unknown): unknown => {
    if (/^(?:at|created_at|updated_at|askedAt|expiresAt|durationMs)$/.test(name)) return 0;
    if (typeof value !== 'string' || !/^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(value)) return value;
    if (!ids.has(value)) ids.set(value, `id-${ids.size}`);
    return ids.get(value);
  };
  const files: Record<string, unknown> = {};
  for (const name of (await readdir(folder, { recursive: true })).sort()) {
    if (!name.endsWith('.json') && !name.endsWith('.jsonl')) continue;
    // The tape of what happened belongs to the session it happened in.
    if (name === 'recording.jsonl') continue;
    const lines = (await readFile(join(folder, name), 'utf8')).trim();
    const texts = name.endsWith('.jsonl') ? lines.split('\n').filter(Boolean) : [lines];
    files[name] = texts.map((text) => JSON.parse(text, plain) as unknown);
  }
  return files;
}

test('M2: a session that ran is exported, imported and exported again, equal but for ids and times', async () => {
  await using model = await startScriptedModel({
    script: [
      calls('todo', { action: 'create', items: [{ id: '1', content: 'Change it', status: 'in_progress' }] }),
      calls('edit_file', { path: 'a.ts', old_string: 'one', new_string: 'two' }),
      'Changed.',
      'Nothing else.',
    ],
  });
  await using app = await startCore({
    files: { 'a.ts': 'one\n' },
    modelUrl: model.url,
    approve: 'allow_once',
  });
  await app.turn('change one to two');
  await app.turn('and else?');
  const { core, session } = app;
  const [first, second] = [join(dir, 'first'), join(dir, 'second')];
  const report = await core.archive.exportTo(session.id, first);
  expect(report.messages).toBeGreaterThan(6);
  const copy = await core.archive.importFrom(first, { ...target(), projectId: session.projectId });
  expect(copy).toMatchObject({
    skipped: 0,
    instructions: 0,
    session: { title: 'change one to two', origin: 'lathe' },
  });
  await core.archive.exportTo(copy.session.id, second);
  const [one, two] = [await comparable(first), await comparable(second)];
  expect(Object.keys(one)).toEqual(
    expect.arrayContaining([
      'chat_history.jsonl',
      'compaction.json',
      'events.jsonl',
      'message_index.jsonl',
      'summary.json',
    ]),
  );
  delete (one['summary.json'] as { origin?: string }[])[0]?.origin;
  const summary = (two['summary.json'] as { origin?: string; project?: unknown }[])[0];
  expect(summary?.origin).toBe('lathe');
  delete summary?.origin;
  const project = { name: 'x', path: 'x' };
  for (const files of [one, two]) Object.assign((files['summary.json'] as object[])[0] ?? {}, { project });
  expect(two).toEqual(one);
  const [before, after] = [core.catalog.runtime(session.id).view, core.catalog.runtime(copy.session.id).view];
  expect(after.items.map((item) => item.kind)).toEqual(before.items.map((item) => item.kind));
  expect(after.todos).toEqual(before.todos);
});

test('M2: chat_history.jsonl holds OpenAI messages and nothing else', async () => {
  const id = sessions.create({ projectId, projectPath: dir, mode: 'agent', model: 'x/y' }).id;
  const messages: ModelMessage[] = [
    { role: 'user', content: 'look', images: [{ mime: 'image/png', base64: 'aGk=' }] },
    {
      role: 'assistant',
      content: '',
      reasoning: 'hm',
      calls: [{ id: 'c1', name: 'grep', arguments: '{"pattern":"x"}' }],
      opaque: { provider: 'p', data: { sig: 1 } },
    },
    { role: 'tool', callId: 'c1', name: 'grep', content: 'no match' },
    { role: 'assistant', content: 'Nothing.' },
  ];
  store.events.addMessages(
    id,
    't',
    messages.map((message, i) => ({ id: `m${i}`, message })),
  );
  await archive.exportTo(id, join(dir, 'out'));
  const lines = (await readFile(join(dir, 'out/chat_history.jsonl'), 'utf8')).trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    {
      role: 'user',
      content: [
        { type: 'text', text: 'look' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } },
      ],
    },
    {
      role: 'assistant',
      content: '',
      reasoning_content: 'hm',
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'grep', arguments: '{"pattern":"x"}' } }],
    },
    { role: 'tool', tool_call_id: 'c1', name: 'grep', content: 'no match' },
    { role: 'assistant', content: 'Nothing.' },
  ]);
  const copy = await imported(join(dir, 'out'));
  expect(historyOf(copy.session.id)).toEqual(messages);
});

test('X4, M2: summaries of the conversation go along, the active one by itself and all as checkpoints', async () => {
  const id = sessions.create({ projectId, projectPath: dir, mode: 'agent', model: null }).id;
  const said = ['one', 'two', 'three'].map((content, i) => ({
    id: `m${i}`,
    message: { role: 'user' as const, content },
  }));
  store.events.addMessages(id, 't', said);
  const record = (at: number, summary: string, undoneAt: number | null) => ({
    ...{ id: `c${at}`, sessionId: id, tier: 'full' as const, focus: '', prefixHash: 'h', replacedCount: 2 },
    ...{ summary, kept: 'never touch db/', madeBy: 'x/y', beforeTokens: 90, afterTokens: 10, at, undoneAt },
  });
  store.context.addCompaction(record(1, 'first', 5));
  store.context.addCompaction(record(2, 'second', null));
  store.context.setMark(id, 'm1', 'pinned');
  const out = join(dir, 'out');
  await archive.exportTo(id, out);
  const active = JSON.parse(await readFile(join(out, 'compaction.json'), 'utf8')) as unknown;
  expect(active).toMatchObject({
    boundary_index: 2,
    prefix_hash: 'h',
    summary: 'second',
    kept: 'never touch db/',
  });
  expect((await readdir(join(out, 'compaction_checkpoints'))).sort()).toEqual(['0001.json', '0002.json']);
  const { session } = await imported(out);
  const plain = (list: ReturnType<typeof store.context.compactions>) =>
    list.map(({ id: _id, sessionId: _session, ...rest }) => rest);
  expect(plain(store.context.compactions(session.id))).toEqual(plain(store.context.compactions(id)));
  const marked = store.events.messages(session.id).messages[1]?.id ?? '';
  expect([...store.context.marks(session.id)]).toEqual([[marked, 'pinned']]);
});

test('fault-F116: NUL bytes, half lines and blank lines are left out and counted, and what comes later is kept', async () => {
  const text =
    jsonl({ role: 'user', content: 'first' }) +
    '\0\0\0\0\n' +
    '\n' +
    '{"role":"assistant","content":"cut in the mid\n' +
    `\0\0${jsonl({ role: 'assistant', content: 'after zeros' })}` +
    `{"role":"tool","tool_ca${jsonl({ role: 'user', content: 'glued' })}` +
    jsonl({ role: 'nobody', content: 'x' }, { role: 'assistant', content: 'last' }) +
    '{"role":"user","content":"never fin';
  const { session, skipped, messages } = await imported(await folderWith({ 'chat_history.jsonl': text }));
  expect(historyOf(session.id).map(({ content }) => content)).toEqual([
    'first',
    'after zeros',
    'glued',
    'last',
  ]);
  expect({ skipped, messages }).toEqual({ skipped: 5, messages: 4 });
  expect(itemsOf(session.id).at(-1)).toMatchObject({
    kind: 'notice',
    text: 'Imported from a folder: 5 lines could not be read and were left out.',
  });
});

test('a folder with messages alone becomes a chat of turns, steps and calls', async () => {
  const text = jsonl(
    { role: 'system', content: 'You are somebody else.' },
    { role: 'user', content: 'List files\nplease' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c', type: 'function', function: { name: 'ls', arguments: '{"path":"src"}' } }],
    },
    { role: 'tool', tool_call_id: 'c', content: 'a.ts' },
    { role: 'assistant', content: 'One file.' },
    { role: 'user', content: [{ type: 'text', text: 'Thanks' }] },
  );
  const { session, instructions } = await imported(await folderWith({ 'chat_history.jsonl': text }));
  expect(instructions).toBe(1);
  expect(session).toMatchObject({ title: 'List files', origin: 'openai', messageCount: 4, activity: 'idle' });
  expect(itemsOf(session.id)).toMatchObject([
    { kind: 'user', text: 'List files\nplease' },
    { kind: 'step', calls: [{ tool: 'ls', label: 'ls src', state: 'success', result: { text: 'a.ts' } }] },
    { kind: 'step', text: 'One file.', status: 'answer' },
    { kind: 'end', reason: 'done' },
    { kind: 'user', text: 'Thanks' },
    { kind: 'end' },
    { kind: 'notice' },
  ]);
  expect(sessions.runtime(session.id).view.live).toBeNull();
});

test('case-H08: messages and copies with the same ids get ids of their own', async () => {
  const folder = await folderWith({
    'chat_history.jsonl': jsonl({ role: 'user', content: 'a' }, { role: 'user', content: 'b' }),
    'message_index.jsonl': jsonl({ id: 'same', turnId: 't', at: 5 }, { id: 'same', turnId: 't', at: 6 }),
  });
  const [one, two] = [await imported(folder), await imported(folder)];
  const ids = [one, two].flatMap(({ session }) =>
    store.events.messages(session.id).messages.map(({ id }) => id),
  );
  expect(new Set(ids).size).toBe(4);
});

test('sec-D11: keys of providers and well-known kinds of keys are in no file of an export', async () => {
  secrets = ['my-"odd"-provider-key'];
  const id = sessions.create({ projectId, projectPath: dir, mode: 'agent', model: null }).id;
  const key = `sk-proj-${'a1B2'.repeat(8)}`;
  const content = `it is my-"odd"-provider-key, ${key} and postgres://me:hunter2@db/x; token = getToken()`;
  store.events.append(
    id,
    't',
    [
      {
        type: 'turn.started',
        messageId: 'm' as never,
        text: content,
        mode: 'agent',
        agent: 'Agent',
        kind: 'message',
      },
    ],
    [{ id: 'm', message: { role: 'user', content } }],
  );
  sessions.update(id, { title: key });
  const { files } = await archive.exportTo(id, join(dir, 'out'));
  for (const file of files) {
    const text = await readFile(file, 'utf8');
    for (const secret of ['provider-key', key, 'hunter2'])
      expect([file, text.includes(secret)]).toEqual([file, false]);
  }
  expect(await readFile(join(dir, 'out/chat_history.jsonl'), 'utf8')).toContain('token = getToken()');
  expect(historyOf((await imported(join(dir, 'out'))).session.id)[0]?.content).toMatch(
    /^it is \*\*\*, sk-\*\*\* and/,
  );
});

test('sec-B08: an export writes over nothing and follows no link that was planted', async () => {
  const id = sessions.create({ projectId, projectPath: dir, mode: 'agent', model: null }).id;
  const out = join(dir, 'out');
  await mkdir(out);
  await writeFile(join(dir, 'victim'), 'mine');
  await symlink(join(dir, 'victim'), join(out, 'chat_history.jsonl'));
  await expect(archive.exportTo(id, out)).rejects.toMatchObject({ code: 'conflict' });
  expect(await readFile(join(dir, 'victim'), 'utf8')).toBe('mine');
  await expect(archive.exportTo(id, 'relative')).rejects.toMatchObject({ code: 'bad_argument' });
  const report = await archive.exportInto(id, dir);
  expect(report.dir).toMatch(/lathe-new-session-[0-9a-f]{8}$/);
  expect((await archive.exportInto(id, dir)).dir).toBe(`${report.dir}-2`);
});

test('an import follows no link, waits for no pipe, and leaves nothing behind when it fails', async () => {
  await writeFile(join(dir, 'private'), jsonl({ role: 'user', content: 'private' }));
  const linked = await folderWith({});
  await symlink(join(dir, 'private'), join(linked, 'chat_history.jsonl'));
  await expect(imported(linked)).rejects.toMatchObject({ code: 'bad_argument' });
  const folder = await folderWith({ 'chat_history.jsonl': jsonl({ role: 'user', content: 'x' }) });
  await mkdir(join(folder, 'events.jsonl'));
  await expect(imported(folder)).rejects.toMatchObject({ code: 'bad_argument' });
  await expect(imported(join(dir, 'nowhere'))).rejects.toMatchObject({ code: 'folder_missing' });
  await expect(imported(await folderWith({ 'a.txt': '' }))).rejects.toMatchObject({ code: 'bad_argument' });
  expect(sessions.list({ projectId: null })).toEqual([]);
});

test('hostile files change nothing but their own session', async () => {
  const event = (payload: object) => ({
    seq: 1,
    at: Number.MAX_SAFE_INTEGER,
    sessionId: 'x',
    turnId: 't1',
    ...payload,
  });
  const folder = await folderWith({
    'chat_history.jsonl': '{"role":"user","content":"hi","__proto__":{"polluted":1}}\n',
    'summary.json': JSON.stringify({
      title: ['not a title'],
      mode: 'root',
      project: 7,
      counts: 'x',
      created_at: -4,
      format: 'lathe-session',
    }),
    'compaction.json': '{"boundary_index": -1}',
    'events.jsonl': jsonl(
      event({ type: 'turn.started', messageId: 'm', text: 'hi', mode: 'agent', agent: 'A' }),
      event({ type: 'session.rewound', toSeq: 1, position: 1, items: 0 }),
      event({
        type: 'call.state',
        callId: 'c',
        tool: 'x',
        state: 'success',
        result: { text: 't', fullOutputPath: '/etc/passwd' },
      }),
      event({ type: 'question.asked', questionId: 'q', callId: 'c', question: 'Sure?', options: [] }),
    ),
  });
  const { session, skipped } = await imported(folder);
  expect(skipped).toBe(1);
  expect(session).toMatchObject({ title: 'hi', mode: 'agent' });
  expect(session.createdAt).toBeGreaterThan(1_600_000_000_000);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  const { view } = sessions.runtime(session.id);
  expect([view.live, view.questions, view.approvals]).toEqual([null, [], []]);
  expect(JSON.stringify(store.events.after(session.id, 0).events)).not.toContain('/etc/passwd');
});

test('M3: an imported session is found by the search and goes on like any other', async () => {
  await using model = await startScriptedModel({ script: ['Going on.'] });
  await using app = await startCore({ modelUrl: model.url });
  const folder = await folderWith({
    'chat_history.jsonl': jsonl(
      { role: 'user', content: 'remember the zebra' },
      { role: 'assistant', content: 'Noted.' },
    ),
  });
  const { projectId: own, projectPath } = app.session;
  const { session } = await app.core.archive.importFrom(folder, { projectId: own, projectPath, mode: 'ask' });
  await app.core.indexer.idle();
  const found = app.core.store.search.find('zebra', { projectId: null, sessions: 5, hitsPerSession: 3 });
  expect(found).toMatchObject([{ sessionId: session.id }]);
  app.core.turns.start({ sessionId: session.id, text: 'go on' });
  await app.core.turns.whenIdle(session.id);
  expect(model.requests[0]?.body.messages.slice(1).map(({ content }) => content)).toEqual([
    'remember the zebra',
    'Noted.',
    'go on',
  ]);
});
