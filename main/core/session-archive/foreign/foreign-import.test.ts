import { createHash } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SessionId } from '../../../../shared/model/ids';
import { SessionCatalog } from '../../session/session-catalog';
import { WriterLease } from '../../session/writer-lease';
import { openStore } from '../../store/open-store';
import { Sql } from '../../store/sql';
import type { Store } from '../../store/types';
import { SessionArchive } from '../session-archive';
import type { ForeignToolId } from './foreign-log';

let home: string;
let store: Store;
let sessions: SessionCatalog;
let archive: SessionArchive;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'lathe-foreign-'));
  store = openStore({ dataDir: join(home, 'lathe') });
  const newId = () => crypto.randomUUID();
  const fail = (error: unknown): never => {
    throw error;
  };
  sessions = new SessionCatalog(store, new WriterLease(store.state), newId, fail);
  archive = new SessionArchive({
    ...{ store, sessions, newId, app: '1', isRunning: () => false, secrets: () => Promise.resolve([]) },
    ...{ agents: () => [], onImported: () => undefined, places: { env: {}, home } },
  });
});
afterEach(() => {
  store.close();
  rmSync(home, { recursive: true, force: true });
});

const jsonl = (...values: unknown[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('');

function put(path: string, text: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), text);
}

const run = (tool: ForeignToolId, onlyFolder: string | null = null) =>
  archive.importForeign({ tool, path: null, onlyFolder });

async function imported(tool: ForeignToolId) {
  const report = await run(tool);
  const ids = report.imported as SessionId[];
  return { report, all: ids.map((id) => ({ summary: sessions.get(id), ...read(id) })) };
}

function read(id: SessionId) {
  const history = store.events.messages(id).messages.map(({ message }) => message);
  const { view } = sessions.runtime(id);
  return { history, items: view.items, view };
}

const spoken = (history: ReturnType<typeof read>['history']) =>
  history.map(({ role, content }) => [role, content]);

/** Names, sizes, times and contents of everything below a folder. */
function fingerprint(folder: string): string {
  const hash = createHash('sha256');
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    const facts = statSync(join(folder, name));
    hash.update(`${name} ${facts.mtimeMs} ${facts.size}\n`);
    if (facts.isFile()) hash.update(readFileSync(join(folder, name)));
  }
  return hash.digest('hex');
}

const CLAUDE_ID = '0b5c4a3e-1111-4222-8333-944455556666';
const CLAUDE = `.claude/projects/-work-app/${CLAUDE_ID}.jsonl`;

function claudeRecords(cwd: string) {
  const base = { cwd, sessionId: CLAUDE_ID, version: '2.1.0', isSidechain: false };
  const at = (second: number) => new Date(Date.UTC(2026, 1, 3, 10, 0, second)).toISOString();
  const user = (uuid: string, parentUuid: string | null, content: unknown, second: number, more = {}) => ({
    ...{ type: 'user', uuid, parentUuid, timestamp: at(second), ...base },
    ...{ message: { role: 'user', content }, ...more },
  });
  const assistant = (uuid: string, parentUuid: string, id: string, part: unknown, second: number) => ({
    ...{ type: 'assistant', uuid, parentUuid, timestamp: at(second), ...base },
    message: { id, role: 'assistant', model: 'm', content: [part] },
  });
  const result = (id: string, content: unknown, more = {}) => [
    { type: 'tool_result', tool_use_id: id, content, ...more },
  ];
  return [
    { type: 'file-history-snapshot', messageId: 'x' },
    user('u0', null, 'Caveat: the messages below', 0, { isMeta: true }),
    user('u1', 'u0', 'Fix the parser', 1),
    assistant('a1', 'u1', 'm1', { type: 'thinking', thinking: 'Look first.', signature: 's' }, 2),
    assistant('a2', 'a1', 'm1', { type: 'text', text: 'Let me look.' }, 3),
    assistant(
      'a3',
      'a2',
      'm1',
      { type: 'tool_use', id: 't1', name: 'Read', input: { file_path: 'a.ts' } },
      4,
    ),
    // A second call of the same answer: the result of the first one hangs off the branch.
    assistant('a4', 'a3', 'm1', { type: 'tool_use', id: 't2', name: 'Bash', input: { command: 'ls' } }, 5),
    user('r1', 'a3', result('t1', [{ type: 'text', text: 'one' }]), 6),
    user('r2', 'a4', result('t2', 'no such file', { is_error: true }), 7),
    user('s1', 'a4', 'inside a subagent', 7, { isSidechain: true }),
    assistant('a5', 'r2', 'm2', { type: 'text', text: 'An answer that was taken back.' }, 8),
    user('u2', 'a5', 'No, otherwise', 9),
    // The user went back: this branch starts at the results again.
    assistant('b1', 'r2', 'm3', { type: 'text', text: 'Fixed.' }, 10),
    user(
      'u3',
      'b1',
      [
        { type: 'text', text: 'Thanks' },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } },
      ],
      11,
    ),
    { type: 'ai-title', aiTitle: 'Parser fix', sessionId: CLAUDE_ID },
  ];
}

test('case-idea-8: Claude Code: the branch the session ended on, with calls, results, pictures and title', async () => {
  const cwd = join(home, 'work');
  mkdirSync(cwd);
  put(CLAUDE, `${jsonl(...claudeRecords(cwd))}{"type":"user","half`);
  put('.claude/projects/-work-app/agent-1234.jsonl', jsonl(...claudeRecords(cwd)));
  const { report, all } = await imported('claude');
  expect(report).toMatchObject({ known: 0, empty: 0, failed: 0, skipped: 1 });
  expect(all).toHaveLength(1);
  const [{ summary, history, items } = all[0]!] = all;
  expect(summary).toMatchObject({ title: 'Parser fix', origin: 'claude', projectPath: cwd, messageCount: 4 });
  expect(new Date(summary.createdAt).toISOString()).toBe('2026-02-03T10:00:01.000Z');
  expect(history).toEqual([
    { role: 'user', content: 'Fix the parser' },
    {
      role: 'assistant',
      content: 'Let me look.',
      reasoning: 'Look first.',
      calls: [
        { id: 't1', name: 'Read', arguments: '{"file_path":"a.ts"}' },
        { id: 't2', name: 'Bash', arguments: '{"command":"ls"}' },
      ],
    },
    { role: 'tool', callId: 't1', name: 'Read', content: 'one' },
    { role: 'tool', callId: 't2', name: 'Bash', content: 'no such file' },
    { role: 'assistant', content: 'Fixed.' },
    { role: 'user', content: 'Thanks', images: [{ mime: 'image/png', base64: 'aGk=' }] },
  ]);
  expect(items).toMatchObject([
    { kind: 'user', text: 'Fix the parser' },
    {
      kind: 'step',
      reasoning: 'Look first.',
      calls: [
        { label: 'Read a.ts', state: 'success' },
        { label: 'Bash ls', state: 'error' },
      ],
    },
    { kind: 'step', text: 'Fixed.' },
    { kind: 'end', reason: 'done' },
    { kind: 'user', text: 'Thanks' },
    { kind: 'end' },
    {
      kind: 'notice',
      tone: 'warn',
      text: 'Imported from Claude Code: 1 record could not be read and were left out.',
    },
  ]);
});

const CODEX =
  '.codex/sessions/2026/02/03/rollout-2026-02-03T10-00-00-019c2d7a-41c4-78b1-b7cc-a45d62a89cd5.jsonl';

test('case-idea-8: Codex: the present form with its injected context left out and rolled-back turns gone', async () => {
  const line = (type: string, payload: unknown, second: number) => ({
    timestamp: `2026-02-03T10:00:0${second}.000Z`,
    type,
    payload,
  });
  const said = (role: string, text: string) => ({
    type: 'message',
    role,
    content: [{ type: role === 'user' ? 'input_text' : 'output_text', text }],
  });
  put(
    CODEX,
    jsonl(
      line('session_meta', { id: '019c', cwd: '/gone/app', cli_version: '0.99.0' }, 0),
      line('response_item', said('developer', 'rules'), 0),
      line('response_item', said('user', '<environment_context>x</environment_context>'), 0),
      line('response_item', said('user', 'What is slow?'), 1),
      line('event_msg', { type: 'user_message', message: 'What is slow?' }, 1),
      line('turn_context', { model: 'm' }, 1),
      line(
        'response_item',
        {
          type: 'reasoning',
          summary: [{ type: 'summary_text', text: '**Search**' }],
          encrypted_content: 'zzz',
        },
        2,
      ),
      line(
        'response_item',
        { type: 'function_call', name: 'shell', arguments: '{"command":["ls"]}', call_id: 'c1' },
        3,
      ),
      line(
        'response_item',
        { type: 'custom_tool_call', name: 'apply_patch', input: '*** Begin', call_id: 'c2' },
        3,
      ),
      line(
        'response_item',
        {
          type: 'function_call_output',
          call_id: 'c1',
          output: '{"output":"a.ts","metadata":{"exit_code":2}}',
        },
        4,
      ),
      line('response_item', { type: 'custom_tool_call_output', call_id: 'c2', output: '{"ok":true}' }, 4),
      line('response_item', said('assistant', 'The parser.'), 5),
      line('response_item', said('user', 'Forget this'), 6),
      line('response_item', said('assistant', 'Forgotten.'), 7),
      line('event_msg', { type: 'thread_rolled_back', num_turns: 1 }, 8),
    ),
  );
  const { all } = await imported('codex');
  expect(all[0]?.summary).toMatchObject({
    title: 'What is slow?',
    origin: 'codex',
    projectPath: '/gone/app',
  });
  expect(all[0]?.history).toEqual([
    { role: 'user', content: 'What is slow?' },
    {
      role: 'assistant',
      content: '',
      reasoning: '**Search**',
      calls: [
        { id: 'c1', name: 'shell', arguments: '{"command":["ls"]}' },
        { id: 'c2', name: 'apply_patch', arguments: '{"input":"*** Begin"}' },
      ],
    },
    { role: 'tool', callId: 'c1', name: 'shell', content: 'a.ts' },
    { role: 'tool', callId: 'c2', name: 'apply_patch', content: '{"ok":true}' },
    { role: 'assistant', content: 'The parser.' },
  ]);
  const calls = all[0]?.items.flatMap((item) => (item.kind === 'step' ? item.calls : []));
  expect(calls?.map(({ state }) => state)).toEqual(['error', 'success']);
});

test('case-idea-8: Codex: the form without envelopes is read as well', async () => {
  put(
    '.codex/sessions/2025/05/01/rollout-old.jsonl',
    jsonl(
      { id: 'old', timestamp: '2025-05-01T10:00:00.000Z', instructions: null },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hello' }] },
      { record_type: 'state' },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'hi' }] },
    ),
  );
  expect(spoken((await imported('codex')).all[0]?.history ?? [])).toEqual([
    ['user', 'hello'],
    ['assistant', 'hi'],
  ]);
});

test('case-idea-8: pi: the active branch of the tree, and logs from before there was one', async () => {
  const entry = (id: string, parentId: string | null, message: unknown) => ({
    type: 'message',
    id,
    parentId,
    timestamp: '2026-02-03T10:00:00.000Z',
    message,
  });
  const header = {
    type: 'session',
    version: 3,
    id: 'p1',
    timestamp: '2026-02-03T10:00:00.000Z',
    cwd: '/gone/pi',
  };
  put(
    '.pi/agent/sessions/--gone-pi--/2026-02-03_aaaa.jsonl',
    jsonl(
      header,
      entry('00000001', null, { role: 'user', content: 'first' }),
      entry('00000002', '00000001', { role: 'assistant', content: [{ type: 'text', text: 'A dead end.' }] }),
      entry('00000003', '00000001', {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm.' },
          { type: 'text', text: 'Look.' },
          { type: 'toolCall', id: 'c1', name: 'bash', arguments: { command: 'ls' } },
        ],
      }),
      { type: 'model_change', id: '00000004', parentId: '00000003', timestamp: '2026-02-03T10:00:00.000Z' },
      entry('00000005', '00000004', {
        role: 'toolResult',
        toolCallId: 'c1',
        toolName: 'bash',
        content: [{ type: 'text', text: 'a.ts' }],
        isError: false,
      }),
      entry('00000006', '00000005', {
        role: 'bashExecution',
        command: 'git status',
        output: 'clean',
        exitCode: 0,
      }),
      { type: 'session_info', id: '00000007', parentId: '00000006', name: 'Named in pi' },
    ),
  );
  put(
    '.pi/agent/sessions/--gone-pi--/2024_bbbb.jsonl',
    jsonl({ ...header, version: 1 }, { type: 'message', message: { role: 'user', content: 'old' } }),
  );
  const { all } = await imported('pi');
  expect(all.map(({ summary }) => summary.title).sort()).toEqual(['Named in pi', 'old']);
  expect(all.find(({ summary }) => summary.title === 'Named in pi')?.history).toEqual([
    { role: 'user', content: 'first' },
    {
      role: 'assistant',
      content: 'Look.',
      reasoning: 'Hm.',
      calls: [{ id: 'c1', name: 'bash', arguments: '{"command":"ls"}' }],
    },
    { role: 'tool', callId: 'c1', name: 'bash', content: 'a.ts' },
    { role: 'user', content: 'I ran `git status`:\nclean' },
  ]);
});

function makeOpencode(): string {
  const path = join(home, '.local/share/opencode/opencode.db');
  mkdirSync(dirname(path), { recursive: true });
  const db = Sql.open(path);
  db.exec(`CREATE TABLE session (id text PRIMARY KEY, parent_id text, title text, directory text, revert text, time_created integer);
    CREATE TABLE message (id text PRIMARY KEY, session_id text, time_created integer, data text);
    CREATE TABLE part (id text PRIMARY KEY, message_id text, session_id text, data text)`);
  const at = Date.UTC(2026, 1, 3);
  const session = 'INSERT INTO session VALUES (?, ?, ?, ?, ?, ?)';
  db.run(session, 'ses_1', null, 'In opencode', '/gone/oc', JSON.stringify({ messageID: 'msg_5' }), at);
  db.run(session, 'ses_2', 'ses_1', 'A subagent', '/gone/oc', null, at);
  const message = 'INSERT INTO message VALUES (?, ?, ?, ?)';
  const part = 'INSERT INTO part VALUES (?, ?, ?, ?)';
  let parts = 0;
  const add = (id: string, role: string, ...list: unknown[]): void => {
    db.run(message, id, 'ses_1', at, JSON.stringify({ role, time: { created: at + 1000 } }));
    for (const each of list)
      db.run(
        part,
        `prt_${String((parts += 1)).padStart(3, '0')}`,
        id,
        'ses_1',
        typeof each === 'string' ? each : JSON.stringify(each),
      );
  };
  add(
    'msg_1',
    'user',
    { type: 'text', text: 'hello' },
    { type: 'text', text: 'Called the Read tool', synthetic: true },
  );
  add(
    'msg_2',
    'assistant',
    { type: 'step-start' },
    { type: 'reasoning', text: 'Hm.' },
    { type: 'text', text: 'Looking.' },
    {
      type: 'tool',
      callID: 'c1',
      tool: 'read',
      state: { status: 'completed', input: { filePath: 'a' }, output: 'one', time: { end: at + 2000 } },
    },
    { type: 'tool', callID: 'c2', tool: 'bash', state: { status: 'error', input: {}, error: 'refused' } },
    { type: 'step-finish' },
    { type: 'step-start' },
    '{"type":"text","te',
    { type: 'text', text: 'Done.' },
  );
  add('msg_5', 'user', { type: 'text', text: 'undone' });
  db.close();
  return path;
}

test('case-idea-8: opencode: sessions of its database, step by step, without what was undone and without subagents', async () => {
  makeOpencode();
  const { report, all } = await imported('opencode');
  expect(report).toMatchObject({ skipped: 1, failed: 0 });
  expect(all.map(({ summary }) => [summary.title, summary.projectPath])).toEqual([
    ['In opencode', '/gone/oc'],
  ]);
  expect(all[0]?.history).toEqual([
    { role: 'user', content: 'hello' },
    {
      role: 'assistant',
      content: 'Looking.',
      reasoning: 'Hm.',
      calls: [
        { id: 'c1', name: 'read', arguments: '{"filePath":"a"}' },
        { id: 'c2', name: 'bash', arguments: '{}' },
      ],
    },
    { role: 'tool', callId: 'c1', name: 'read', content: 'one' },
    { role: 'tool', callId: 'c2', name: 'bash', content: 'refused' },
    { role: 'assistant', content: 'Done.' },
  ]);
});

test('what was brought in once is not brought in again, also after it was renamed; deleting it makes room', async () => {
  put(CLAUDE, jsonl(...claudeRecords('/gone/app')));
  const first = await run('claude');
  const id = first.imported[0] as SessionId;
  sessions.setTitle(id, 'Mine now', 'user');
  expect(await archive.findForeign()).toEqual([
    { tool: 'claude', name: 'Claude Code', path: join(home, '.claude/projects'), sessions: 1, known: 1 },
  ]);
  expect(await run('claude')).toMatchObject({ imported: [], known: 1 });
  sessions.remove(id);
  expect((await run('claude')).imported).toHaveLength(1);
});

test('one unreadable, unknown or odd file keeps no other one out, and nothing of the tool is changed', async () => {
  put(CLAUDE, jsonl(...claudeRecords('/gone/app')));
  put('.claude/projects/-x/11111111.jsonl', '');
  put('.claude/projects/-x/22222222.jsonl', jsonl({ hello: 'world' }));
  put('.claude/projects/-x/33333333.jsonl', '\0\0\0\nnot json\n');
  mkdirSync(join(home, '.claude/projects/-x/44444444.jsonl'));
  symlinkSync('/etc/passwd', join(home, '.claude/projects/-x/55555555.jsonl'));
  put(
    '.claude/projects/-x/66666666.jsonl',
    jsonl({
      type: 'user',
      uuid: 'a',
      parentUuid: 'a',
      message: { content: [5, null, { type: 'text' }, { type: 'tool_result' }] },
    }),
  );
  const before = fingerprint(join(home, '.claude'));
  const report = await run('claude');
  expect(report.imported).toHaveLength(1);
  expect(report).toMatchObject({ empty: 3, failed: 1 });
  expect(report.problems).toEqual([expect.stringContaining('22222222.jsonl: its format is not known')]);
  expect(fingerprint(join(home, '.claude'))).toBe(before);
  put('.local/share/opencode/opencode.db', 'no database');
  const found = await archive.findForeign();
  expect(found.map(({ tool }) => tool)).toEqual(['claude']);
});

test('the database of opencode is not written, and only sessions of the wanted folder are brought in', async () => {
  const path = makeOpencode();
  const before = readFileSync(path);
  expect((await run('opencode', '/somewhere/else')).imported).toEqual([]);
  expect((await run('opencode', '/gone/oc')).imported).toHaveLength(1);
  expect(readFileSync(path).equals(before)).toBe(true);
  expect(store.projects.recent(10)).toEqual([]);
});
