import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
  closeSync,
  statSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { build } from 'rolldown';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { scratchFolder } from '../testing/scratch-folder';
import { openStore } from './open-store';
import type { Store } from './types';

const SQLITE = createRequire(import.meta.url).resolve('better-sqlite3');
let dataDir: string;

beforeEach(() => {
  dataDir = scratchFolder('lathe-store-');
});
afterEach(() => {
  rmSync(dataDir, { recursive: true, force: true });
});

const file = (): string => join(dataDir, 'lathe.db');

function addSession(store: Store, id: string): void {
  const project = store.projects.open('/home/ada/p', { name: 'p', device: null, inode: null, isTour: false });
  store.sessions.create({
    id,
    projectId: project.id,
    projectPath: '/home/ada/p',
    mode: 'agent',
    model: null,
    title: id,
  });
}

const hello = (n: number) => ({ type: 'nudge', kind: 'test', text: `n${n}` }) as const;

function openWithSession(): Store {
  const store = openStore({ dataDir });
  addSession(store, 's1');
  return store;
}

/** A second process: prints `ready` and is killed at the end of the test. */
async function runNode(script: string) {
  const child = spawn(process.execPath, ['-e', script], { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return child;
}

test('a fresh store is private to its user and opens again with what was written', () => {
  const store = openWithSession();
  expect(store.opened).toEqual({ outcome: 'fresh', notice: null });
  store.events.append('s1', 't1', [hello(1), hello(2)]);
  store.close();
  if (process.platform !== 'win32') expect(statSync(file()).mode & 0o777).toBe(0o600);
  const again = openStore({ dataDir });
  expect(again.opened).toEqual({ outcome: 'ok', notice: null });
  expect(again.events.after('s1', 0).events.map((event) => event.seq)).toEqual([1, 2]);
  again.close();
});

test('fault-F113: a file with a zeroed header is set aside whole, and a fresh store opens with a notice', () => {
  const first = openWithSession();
  first.close();
  const fd = openSync(file(), 'r+');
  writeSync(fd, Buffer.alloc(100), 0, 100, 0);
  closeSync(fd);
  const bytes = readFileSync(file());
  const store = openStore({ dataDir });
  expect(store.opened.outcome).toBe('recovered');
  const aside = readdirSync(dataDir).find((name) => name.startsWith('corrupt-')) ?? '';
  expect(store.opened.notice).toContain(join(dataDir, aside));
  expect(store.opened.notice).toContain('nothing was deleted');
  expect(readFileSync(join(dataDir, aside, 'lathe.db')).equals(bytes)).toBe(true);
  expect(store.sessions.list({ projectId: null })).toEqual([]);
  store.close();
});

test('fault-F113: a page damaged in the middle is found after an unclean exit', () => {
  const first = openWithSession();
  for (let i = 0; i < 200; i += 1) first.events.append('s1', 't1', [hello(i)]);
  first.close();
  const fd = openSync(file(), 'r+');
  const size = statSync(file()).size;
  for (let at = 4096; at < size; at += 4096) writeSync(fd, Buffer.alloc(2000, 0x5a), 0, 2000, at);
  closeSync(fd);
  writeFileSync(join(dataDir, 'open', '999999999-dead'), '');
  const store = openStore({ dataDir });
  expect(store.opened.outcome).toBe('recovered');
  addSession(store, 's2');
  store.close();
});

test('fault-F113: a file that is no database at all does not stop the start', () => {
  writeFileSync(file(), 'not a database, but long enough to have a header of a hundred bytes '.repeat(20));
  const store = openStore({ dataDir });
  expect(store.opened.outcome).toBe('recovered');
  store.close();
});

test('damage met while running makes the next start check the file', () => {
  const store = openWithSession();
  for (let i = 0; i < 500; i += 1) store.events.append('s1', 't1', [{ ...hello(i), text: 'x'.repeat(2000) }]);
  store.close();
  const fd = openSync(file(), 'r+');
  const size = statSync(file()).size;
  for (let at = 120 * 4096; at < size; at += 4096) writeSync(fd, Buffer.alloc(4000, 0x5a), 0, 4000, at);
  closeSync(fd);
  const damaged = openStore({ dataDir });
  expect(damaged.opened.outcome).toBe('ok');
  expect(() => damaged.events.after('s1', 0)).toThrow(expect.objectContaining({ code: 'store_corrupt' }));
  damaged.close();
  const recovered = openStore({ dataDir });
  expect(recovered.opened.outcome).toBe('recovered');
  recovered.close();
});

test('a store written by a newer version is left alone', () => {
  openStore({ dataDir }).close();
  const raw = new SqliteDatabase(file());
  raw.pragma('user_version = 99');
  raw.close();
  expect(() => openStore({ dataDir })).toThrow(expect.objectContaining({ code: 'store_newer' }));
  expect(readdirSync(dataDir).some((name) => name.startsWith('corrupt-'))).toBe(false);
});

test('fault-F112: a write waits while another process holds the write lock for three seconds', async () => {
  const store = openWithSession();
  const released = join(dataDir, 'released');
  const child = await runNode(`
    const db = new (require(${JSON.stringify(SQLITE)}))(${JSON.stringify(file())});
    db.exec('BEGIN IMMEDIATE');
    console.log('ready');
    setTimeout(() => {
      require('node:fs').writeFileSync(${JSON.stringify(released)}, '');
      db.exec('COMMIT');
      db.close();
    }, 3000);
  `);
  expect(store.events.append('s1', 't1', [hello(1)])).toHaveLength(1);
  expect(existsSync(released)).toBe(true);
  if (child.exitCode === null) await once(child, 'exit');
  store.close();
});

test('fault-F115: a process killed while it writes loses nothing it had reported as stored', async () => {
  openWithSession().close();
  const bundle = join(dataDir, 'open-store.cjs');
  await build({
    input: join(import.meta.dirname, 'open-store.ts'),
    external: ['better-sqlite3'],
    platform: 'node',
    output: { file: bundle, format: 'cjs' },
    logLevel: 'silent',
  });
  const child = spawn(
    process.execPath,
    [
      '-e',
      `const m = require('node:module'), load = m._load;
       m._load = (id, ...rest) => load(id === 'better-sqlite3' ? ${JSON.stringify(SQLITE)} : id, ...rest);
       const { openStore } = require(${JSON.stringify(bundle)});
       const store = openStore({ dataDir: ${JSON.stringify(dataDir)} });
       const write = require('node:fs').writeSync;
       for (let n = 1; ; n += 1) {
         const [event] = store.events.append('s1', 't1', [{ type: 'nudge', kind: 'test', text: 'n' + n }],
           [{ id: 'm' + n, message: { role: 'user', content: 'n' + n } }]);
         write(1, event.seq + '\\n');
       }`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let reported = '';
  child.stdout.on('data', (chunk: Buffer) => {
    reported += chunk.toString();
    if (reported.length > 500) child.kill('SIGKILL');
  });
  await once(child, 'close');
  const lastReported = Number(reported.slice(0, reported.lastIndexOf('\n')).split('\n').at(-1));
  const store = openStore({ dataDir });
  expect(store.opened.outcome).toBe('ok');
  const { events, unreadable } = store.events.after('s1', 0);
  expect(unreadable).toBe(0);
  expect(events.length).toBeGreaterThanOrEqual(lastReported);
  expect(store.events.messages('s1').messages).toHaveLength(events.length);
  store.close();
});
