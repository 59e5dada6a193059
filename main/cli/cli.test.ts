import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { bundleProgram } from '../core/testing/bundle-program';
import { calls, type ScriptStep } from '../../e2e/support/scripted-model/script-reply';
import { png } from '../../e2e/support/pictures';
import { type ScriptedModel, startScriptedModel } from '../../e2e/support/scripted-model/scripted-model';
import type { TurnEvent } from '../../shared/model/turn-event';
import { writeRecording } from '../core/recording/recording-file';
import { planConfinement } from '../core/sandbox/confine';
import { openStore } from '../core/store/open-store';
import { scratchFolder } from '../core/testing/scratch-folder';

/** The real command line as its users start it, bundled once; every test starts processes of it. */
const ROOT = path.join(path.dirname(fileURLToPath(import.meta.url)), '../..');
const BUNDLE = path.join(ROOT, `node_modules/.cache/lathe-cli-test-${process.pid}`);

let home: string;
let project: string;
let models: ScriptedModel[];
let children: ChildProcess[];

beforeAll(async () => {
  const workers = readdirSync(path.join(ROOT, 'main'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.worker.ts'))
    .map((file) => [path.basename(file, '.ts'), path.join(ROOT, 'main', file)]);
  const cli = path.join(ROOT, 'main/cli/index.ts');
  await bundleProgram({ cli, ...(Object.fromEntries(workers) as Record<string, string>) }, BUNDLE);
}, 60_000);

afterAll(() => rmSync(BUNDLE, { recursive: true, force: true }));

beforeEach(() => {
  home = scratchFolder('lathe-cli-home-');
  project = realpathSync(mkdtempSync(path.join(tmpdir(), 'lathe-cli-project-')));
  writeFileSync(path.join(project, 'a.txt'), 'one\n');
  [models, children] = [[], []];
});

afterEach(async () => {
  for (const child of children.filter(
    ({ exitCode, signalCode }) => exitCode === null && signalCode === null,
  )) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  await Promise.all(models.map((model) => model.close()));
  rmSync(home, { recursive: true, force: true });
  rmSync(project, { recursive: true, force: true });
});

interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  out: string;
  err: string;
}

interface Started {
  child: ChildProcess;
  out: () => string;
  err: () => string;
  ended: Promise<Ended>;
}

function start(...args: string[]): Started {
  const { PATH, HOME, TMPDIR } = process.env;
  const child = spawn(process.execPath, [path.join(BUNDLE, 'cli.mjs'), ...args], {
    cwd: project,
    env: { PATH, HOME, TMPDIR, LATHE_HOME: home, NODE_COMPILE_CACHE: path.join(BUNDLE, 'compiled') },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  children.push(child);
  child.stdin.end();
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const ended = once(child, 'close').then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as NodeJS.Signals | null,
    out,
    err,
  }));
  return { child, out: () => out, err: () => err, ended };
}

const lathe = (...args: string[]): Promise<Ended> => start(...args).ended;

async function modelThat(...script: ScriptStep[]): Promise<ScriptedModel> {
  const model = await startScriptedModel({ script });
  models.push(model);
  return model;
}

const withModel = (model: ScriptedModel): string[] => [
  '--base-url',
  model.url,
  '--model',
  'mock',
  '--api-key',
  'k-secret',
];

const eventsOf = (out: string): TurnEvent[] =>
  out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as TurnEvent);

test('version and help are quick and load nothing; bad usage is 2 with one line and a hint', async () => {
  const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
    version: string;
  };
  expect(await lathe('--version')).toMatchObject({ code: 0, out: `${version}\n`, err: '' });
  const help = await lathe('--help');
  expect(help).toMatchObject({ code: 0, err: '' });
  for (const name of ['run', 'serve', 'sessions', 'export', 'import', 'replay'])
    expect(help.out).toMatch(new RegExp(`^  ${name} `, 'm'));
  const wrong = await lathe('run', '--approve', 'maybe', '--prompt', 'x');
  expect(wrong).toMatchObject({ code: 2, out: '' });
  expect(wrong.err.trimEnd().split('\n')).toHaveLength(2);
  expect(existsSync(path.join(home, 'lathe.db'))).toBe(false);
});

test('run streams the answer and exits 0; the flags of the model are stored nowhere', async () => {
  const model = await modelThat(calls('read_file', { path: 'a.txt' }), 'It says one.');
  const { code, out, err } = await lathe('run', '--prompt', 'what does a.txt say', ...withModel(model));
  expect([code, out]).toEqual([0, 'It says one.\n']);
  expect(err).toContain('a.txt');
  expect(model.requests).toHaveLength(2);
  const stored = readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  const holds = (text: string) => stored.filter((file) => readFileSync(file, 'latin1').includes(text));
  expect(holds('what does a.txt say')).not.toEqual([]);
  expect(holds('k-secret')).toEqual([]);
});

test('--image sends pictures along; a file that is none stops the run with 2', async () => {
  const model = await modelThat('A blue one.');
  writeFileSync(path.join(project, 'blue.png'), png(8, 8));
  const seen = await lathe('run', ...withModel(model), '--prompt', 'what is it', '--image', 'blue.png');
  expect(seen).toMatchObject({ code: 0, out: expect.stringContaining('A blue one.') as string });
  expect(model.requests[0]?.body.messages.at(-1)?.content).toMatchObject([
    { type: 'text' },
    { image_url: { url: `data:image/png;base64,${png(8, 8).toString('base64')}` } },
  ]);
  for (const [file, why] of [
    ['a.txt', /a\.txt can't be sent as an image: it is no PNG/],
    ['gone.png', /gone\.png can't be read/],
  ] as const) {
    const bad = await lathe('run', ...withModel(model), '--prompt', 'x', '--image', file);
    expect(bad).toMatchObject({ code: 2, err: expect.stringMatching(why) as string });
  }
  expect(model.requests).toHaveLength(1);
}, 60_000);

test('replay plays a recorded session again and says whether the same came out', async () => {
  const model = await modelThat(calls('read_file', { path: 'a.txt' }), 'It says one.');
  await lathe('run', '--prompt', 'what does a.txt say', ...withModel(model));
  const store = openStore({ dataDir: home });
  const [session] = store.sessions.list({ projectId: null });
  const text = await writeRecording(store, session?.id ?? '', 'test');
  store.close();
  const file = path.join(home, 'recording.jsonl');
  writeFileSync(file, text);
  await model.close();
  const same = await lathe('replay', file);
  expect(same).toMatchObject({ code: 0, err: '' });
  expect(same.out).toMatch(/^The same \d+ events came out\.\n$/);
  writeFileSync(
    file,
    text.replace(
      '{"tape":{"k":"reply","n":2,"v":{"text":"It says',
      '{"tape":{"k":"reply","n":2,"v":{"text":"It said',
    ),
  );
  const other = await lathe('replay', home, '--json');
  expect(other.code).toBe(1);
  expect(JSON.parse(other.out)).toMatchObject({
    equal: false,
    firstDifference: { recorded: expect.stringContaining('says') as string },
  });
  expect(await lathe('replay')).toMatchObject({ code: 2, out: '' });
  expect(await lathe('replay', path.join(home, 'no-such-file'))).toMatchObject({ code: 2, out: '' });
});

test('with --json standard output is one event per line with seq from 1 and nothing else', async () => {
  const model = await modelThat('Hello there.');
  const { code, out } = await lathe('run', '--json', '--prompt', 'hi', ...withModel(model));
  expect(code).toBe(0);
  const events = eventsOf(out);
  expect(events.map((event) => event.seq)).toEqual(events.map((_, i) => i + 1));
  expect(events[0]).toMatchObject({ type: 'turn.started', text: 'hi' });
  expect(events.at(-1)).toMatchObject({ type: 'turn.finished', reason: 'done', text: 'Hello there.' });
});

test('without a terminal --approve ask denies a write, tells the model, and the run still finishes with 0', async () => {
  const model = await modelThat(calls('write_file', { path: 'a.txt', content: 'two\n' }), 'I left it alone.');
  const { code, out } = await lathe('run', '--json', '--prompt', 'change it', ...withModel(model));
  expect(code).toBe(0);
  expect(readFileSync(path.join(project, 'a.txt'), 'utf8')).toBe('one\n');
  const states = eventsOf(out).flatMap((event) => (event.type === 'call.state' ? [event.state] : []));
  expect(states.at(-1)).toBe('denied');
  expect(JSON.stringify(model.requests[1]?.body.messages.at(-1))).toMatch(
    /denied|not (?:allowed|approved)|refused/i,
  );
});

test('--approve edits grants an edit inside the project', async () => {
  const model = await modelThat(calls('write_file', { path: 'new.txt', content: 'two\n' }), 'Done.');
  const { code, err } = await lathe('run', '--approve', 'edits', '--prompt', 'go', ...withModel(model));
  expect(code).toBe(0);
  expect(readFileSync(path.join(project, 'new.txt'), 'utf8')).toBe('two\n');
  expect(err).toContain('new.txt (create) +1');
});

test('sec-I01: --approve all runs commands confined, or refuses to start with 2 where that can not be had', async () => {
  const canary = path.join(tmpdir(), `lathe-canary-${process.pid}`);
  const model = await modelThat(
    calls('run_command', { command: `echo in > inside.txt; echo out > ${canary}` }),
    'Done.',
  );
  const { code, err } = await lathe('run', '--approve', 'all', '--prompt', 'go', ...withModel(model));
  const confinement = await planConfinement(project, { latheHome: home });
  confinement?.close();
  const inside = path.join(project, 'inside.txt');
  const made = existsSync(inside) && readFileSync(inside, 'utf8');
  expect([code, made, err.includes('confined')]).toEqual(confinement ? [0, 'in\n', false] : [2, false, true]);
  expect(existsSync(canary)).toBe(false);
});

test('--max-steps ends the turn with 3, an unusable model with 1, a missing folder or session with 2', async () => {
  const busy = await modelThat(...Array.from({ length: 5 }, (_, i) => calls('glob', { pattern: `*${i}` })));
  expect((await lathe('run', '--prompt', 'x', '--max-steps', '2', ...withModel(busy))).code).toBe(3);
  const broken = await modelThat({ status: 401, body: { error: { message: 'bad key' } } });
  const failed = await lathe('run', '--prompt', 'x', ...withModel(broken));
  expect(failed.code).toBe(1);
  expect(failed.err).toMatch(/key/i);
  const unused = await modelThat();
  const gone = await lathe(
    'run',
    '--project',
    path.join(project, 'none'),
    '--prompt',
    'x',
    ...withModel(unused),
  );
  expect([gone.code, gone.out]).toEqual([2, '']);
  expect((await lathe('run', '--session', 'none', '--prompt', 'x', ...withModel(unused))).code).toBe(2);
});

test('--session goes on with a session, which sessions lists newest first', async () => {
  const model = await modelThat('First.', 'Second.', 'Other.');
  const first = eventsOf((await lathe('run', '--json', '--prompt', 'remember me', ...withModel(model))).out);
  const id = first[0]?.sessionId ?? '';
  await lathe('run', '--session', id, '--prompt', 'and now', ...withModel(model));
  const messages = JSON.stringify(model.requests[1]?.body.messages);
  expect(messages).toContain('remember me');
  expect(messages).toContain('First.');
  await lathe('run', '--prompt', 'another', ...withModel(model));
  const { out, code } = await lathe('sessions', '--json');
  expect(code).toBe(0);
  const list = JSON.parse(out) as { id: string; title: string; project: string; updatedAt: number }[];
  expect(list.map(({ title, project: folder }) => [title, folder])).toEqual([
    ['another', project],
    ['remember me', project],
  ]);
  expect(list[1]?.id).toBe(id);
  expect(list[0]?.updatedAt).toBeGreaterThanOrEqual(list[1]?.updatedAt ?? Infinity);
  expect(JSON.parse((await lathe('sessions', '--json', '--project', tmpdir())).out)).toEqual([]);
});

test('SIGINT stops the turn and exits 130; the session takes the next message', async () => {
  const model = await modelThat({ text: 'a long answer '.repeat(50), holdAfterChars: 20 }, 'Back again.');
  const running = start('run', '--json', '--prompt', 'go', ...withModel(model));
  await expect.poll(() => running.out().includes('text.delta')).toBe(true);
  running.child.kill('SIGINT');
  const { code, out } = await running.ended;
  expect(code).toBe(130);
  const events = eventsOf(out);
  expect(events.at(-1)).toMatchObject({ type: 'turn.finished', reason: 'stopped' });
  const again = await lathe(
    'run',
    '--session',
    events[0]?.sessionId ?? '',
    '--prompt',
    'more',
    ...withModel(model),
  );
  expect([again.code, again.out]).toEqual([0, 'Back again.\n']);
});

test('a reader that goes away ends the run instead of hanging it', async () => {
  const model = await modelThat({ text: 'word '.repeat(2000), delayMs: 2 });
  const running = start('run', '--json', '--prompt', 'go', ...withModel(model));
  await expect.poll(() => running.out().includes('text.delta')).toBe(true);
  running.child.stdout?.destroy();
  expect((await running.ended).code).toBe(130);
});

test('serve prints one line when ready, answers, and ends cleanly on a signal', async () => {
  const running = start('serve', '--json', '--no-open', '--project', project);
  await expect.poll(() => running.out().includes('\n')).toBe(true);
  const ready = JSON.parse(running.out()) as { url: string; token: string; port: number };
  expect(new URL(ready.url).port).toBe(String(ready.port));
  const response = await fetch(`http://127.0.0.1:${ready.port}/api/sessions`, {
    headers: { authorization: `Bearer ${ready.token}` },
  });
  expect(await response.json()).toEqual({ ok: true, value: [] });
  running.child.kill('SIGTERM');
  expect(await running.ended).toMatchObject({ code: 0 });
  expect(running.out().trimEnd().split('\n')).toHaveLength(1);
});

test('serve: a script runs a turn over REST and approves its write', async () => {
  const model = await modelThat(calls('write_file', { path: 'new.txt', content: 'two\n' }), 'Written.');
  const running = start('serve', '--json', '--no-open', '--project', project, ...withModel(model));
  await expect.poll(() => running.out().includes('\n')).toBe(true);
  const { token, port } = JSON.parse(running.out()) as { token: string; port: number };
  const call = (route: string, body: object) =>
    fetch(`http://127.0.0.1:${port}${route}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const response = await call('/api/turns', { text: 'write it' });
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString();
    const [, id] = /event: approval\ndata: \{"id":"([^"]+)"/.exec(text) ?? [];
    if (id !== undefined && !text.includes('event: done'))
      await call(`/api/approvals/${id}`, { answer: 'allow_once' });
  }
  expect(text).toContain('event: answer\ndata: {"text":"Written."}');
  expect(text).toMatch(/event: done\ndata: \{.*"reason":"done"/);
  expect(readFileSync(path.join(project, 'new.txt'), 'utf8')).toBe('two\n');
});

test('serve: a taken port is said so', async () => {
  const first = start('serve', '--json', '--no-open');
  await expect.poll(() => first.out().includes('\n')).toBe(true);
  const { port } = JSON.parse(first.out()) as { port: number };
  const second = await lathe('serve', '--json', '--no-open', '--port', String(port));
  expect(second.code).toBe(1);
  expect(second.err).toContain(`Port ${port} is used`);
});

test('M2: export writes a folder and import reads it in again, by workers; a session is found by its words', async () => {
  const model = await modelThat(calls('read_file', { path: 'a.txt' }), 'It says one, said the zebra.');
  await lathe('run', '--prompt', 'what does a.txt say', ...withModel(model));
  const list = JSON.parse((await lathe('sessions', '--json')).out) as { id: string }[];
  const id = list[0]?.id ?? '';
  const done = await lathe('export', id.slice(0, 8), '--out', 'out', '--json');
  expect(done).toMatchObject({ code: 0, err: '' });
  const report = JSON.parse(done.out) as { path: string; messages: number };
  expect(report).toMatchObject({ path: path.join(project, 'out'), messages: 4 });
  const history = readFileSync(path.join(project, 'out/chat_history.jsonl'), 'utf8').trimEnd().split('\n');
  expect(history.map((line) => (JSON.parse(line) as { role: string }).role)).toEqual([
    'user',
    'assistant',
    'tool',
    'assistant',
  ]);
  expect(await lathe('replay', 'out')).toMatchObject({ code: 0 });
  expect(await lathe('export', id, '--out', 'out')).toMatchObject({ code: 1, out: '' });
  const copy = await lathe('import', 'out');
  expect(copy).toMatchObject({ code: 0, err: '' });
  expect(copy.out).toContain('what does a.txt say');
  expect(copy.out).toContain('4 messages');
  const found = await lathe('sessions', '--search', 'ZEBRA', '--json');
  const hits = JSON.parse(found.out) as { id: string; project: string; hits: { text: string }[] }[];
  expect(hits.map((each) => [each.project, each.hits.length])).toEqual([
    [project, 1],
    [project, 1],
  ]);
  expect((await lathe('sessions', '--search', 'zebra says')).out).toContain(
    'assistant: It says one, said the zebra.',
  );
  expect((await lathe('sessions', '--search', 'nobody "AND')).out).toBe('Nothing found.\n');
  expect(await lathe('export', 'nope', '--out', 'x')).toMatchObject({ code: 2, out: '' });
  expect(await lathe('import', 'nowhere')).toMatchObject({ code: 2, out: '' });
});

test('import --from reads the sessions of another tool once, and says what it could not read', async () => {
  const folder = path.join(home, 'tool', 'projects', '-p');
  mkdirSync(folder, { recursive: true });
  const record = {
    ...{ type: 'user', uuid: 'u', parentUuid: null, cwd: project, timestamp: '2026-02-03T10:00:00.000Z' },
    message: { role: 'user', content: 'hello from elsewhere' },
  };
  writeFileSync(path.join(folder, 'one.jsonl'), `${JSON.stringify(record)}\n`);
  writeFileSync(path.join(folder, 'odd.jsonl'), '{"what":"is this"}\n');
  const place = path.join(home, 'tool', 'projects');
  const first = await lathe('import', '--from', 'claude', place);
  expect(first).toMatchObject({ code: 0 });
  expect(first.out).toContain('hello from elsewhere');
  expect(first.out).toContain('1 new, 1 could not be read');
  expect(first.err).toContain('odd.jsonl');
  const again = await lathe('import', '--from', 'claude', place, '--json');
  expect(JSON.parse(again.out)).toMatchObject({ tool: 'claude', imported: [], known: 1, failed: 1 });
  const found = JSON.parse((await lathe('sessions', '--search', 'elsewhere', '--json')).out) as unknown[];
  expect(found).toMatchObject([{ project, hits: [{ text: 'hello from elsewhere' }] }]);
});

/** At a terminal of its own: `script` (util-linux) makes one. */
const hasScript = process.platform === 'linux' && existsSync('/usr/bin/script');

test.skipIf(!hasScript)(
  'at a terminal --approve ask shows the whole command and runs it once allowed',
  async () => {
    const model = await modelThat(calls('run_command', { command: 'echo made > made.txt' }), 'Made it.');
    mkdirSync(path.join(project, 'sub'));
    const args = ['run', '--prompt', 'make it', ...withModel(model)];
    const line = [process.execPath, path.join(BUNDLE, 'cli.mjs'), ...args]
      .map((word) => `'${word}'`)
      .join(' ');
    const { PATH, HOME } = process.env;
    const child = spawn('script', ['-qec', line, '/dev/null'], {
      cwd: project,
      env: { PATH, HOME, LATHE_HOME: home, TERM: 'dumb' },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    children.push(child);
    let shown = '';
    child.stdout.on('data', (chunk: Buffer) => (shown += chunk.toString()));
    const ended = once(child, 'close');
    await expect.poll(() => shown.includes('deny (n)?')).toBe(true);
    expect(shown).toContain('echo made > made.txt');
    expect(existsSync(path.join(project, 'made.txt'))).toBe(false);
    child.stdin.write('y\n');
    expect(((await ended) as unknown[])[0]).toBe(0);
    expect(readFileSync(path.join(project, 'made.txt'), 'utf8')).toBe('made\n');
  },
);

test('undo, redo and log from the command line, each in a process of its own', async () => {
  const model = await modelThat(
    calls('read_file', { path: 'a.txt' }),
    calls('edit_file', { path: 'a.txt', old_string: 'one', new_string: 'two' }),
    'Done.',
    calls('write_file', { path: 'b.txt', content: 'new\n' }),
    'Done.',
  );
  const file = (name: string): string | null => {
    const target = path.join(project, name);
    return existsSync(target) ? readFileSync(target, 'utf8') : null;
  };
  const run = ['run', '--prompt', 'change it', '--approve', 'edits', '--json', ...withModel(model)];
  const first = await lathe(...run);
  const session = eventsOf(first.out)[0]?.sessionId as string;
  await lathe(...run, '--session', session);
  expect([file('a.txt'), file('b.txt')]).toEqual(['two\n', 'new\n']);

  const undone = await lathe('undo', '--session', session.slice(0, 8), '--json');
  expect(undone).toMatchObject({ code: 0, err: '' });
  expect(JSON.parse(undone.out)).toMatchObject({ turn: 2, files: [{ path: 'b.txt', outcome: 'restored' }] });
  expect(file('b.txt')).toBeNull();
  const other = await lathe('undo', '--session', session);
  expect(other.out).toBe('Took back turn 1.\n  restored  a.txt\n');
  expect(file('a.txt')).toBe('one\n');
  expect(await lathe('undo', '--session', session)).toMatchObject({ code: 2, out: '' });

  expect((await lathe('redo', '--session', session)).code).toBe(0);
  expect([file('a.txt'), file('b.txt')]).toEqual(['two\n', null]);
  expect((await lathe('redo', '--session', session)).code).toBe(0);
  expect(file('b.txt')).toBe('new\n');
  expect((await lathe('redo', '--session', session)).code).toBe(2);

  writeFileSync(path.join(project, 'a.txt'), 'mine\n');
  const refused = await lathe('undo', '--session', session, '--turn', '1');
  expect(refused.code).toBe(1);
  expect(refused.out).toContain('conflict  a.txt – The same lines were changed since.');
  expect(file('a.txt')).toBe('mine\n');

  const log = await lathe('log', '--session', session, '--json');
  const entries = JSON.parse(log.out) as { by: string; turn: number | null; files: unknown[] }[];
  expect(entries.slice(0, 3)).toMatchObject([
    { by: 'agent', turn: 1, files: [{ path: 'a.txt', change: 'modify' }] },
    { by: 'agent', turn: 2, files: [{ path: 'b.txt', change: 'create' }] },
    { by: 'undo', turn: null, files: [{ path: 'b.txt', change: 'delete' }] },
  ]);
  expect((await lathe('log', '--session', session)).out.split('\n')[0]).toContain('turn 1');
}, 60_000);

test('bisect from the command line names the turn and the hunk, and leaves the project alone', async () => {
  writeFileSync(path.join(project, 'a.txt'), 'one\n  two\nthree\n');
  const edit = (old_string: string, new_string: string) =>
    calls('edit_file', { path: 'a.txt', old_string, new_string });
  const model = await modelThat(
    edit('one', '1'),
    'Done.',
    edit('two', 'broken'),
    'Done.',
    edit('three', '3'),
    'Done.',
  );
  const run = ['run', '--prompt', 'change it', '--approve', 'edits', '--json', ...withModel(model)];
  const session = eventsOf((await lathe(...run)).out)[0]?.sessionId as string;
  for (const _ of [2, 3]) await lathe(...run, '--session', session);
  const bisect = ['bisect', '--session', session, '--command'];
  const found = await lathe(...bisect, '! grep broken a.txt');
  expect(found.code).toBe(0);
  expect(found.out).toMatch(/^Turn 2 .*`a\.txt` at line 2\.\n {3}1\n {2}- {2}two\n {2}\+ {2}broken\n/);
  expect(found.err).toMatch(/^1\/\d+ {2}fails +as it is now\n2\/\d+ {2}passes +before all changes\n/);
  const nothing = await lathe(...bisect, 'true', '--json');
  expect(nothing.code).toBe(1);
  const lines = nothing.out.trim().split('\n');
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ kind: 'nothing' });
  expect(readFileSync(path.join(project, 'a.txt'), 'utf8')).toBe('1\n  broken\n3\n');
}, 60_000);
