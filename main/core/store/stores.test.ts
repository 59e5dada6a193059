import { rmSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { scratchFolder } from '../testing/scratch-folder';
import { openStore } from './open-store';
import type { Store } from './types';

let dir: string;
let store: Store;

beforeEach(() => {
  dir = scratchFolder('lathe-stores-');
  store = openStore({ dataDir: dir });
});
afterEach(() => {
  store.close();
  rmSync(dir, { recursive: true, force: true });
});

const facts = (inode: string | null) => ({ name: 'p', device: '1', inode, isTour: false });

function session(id: string, projectId: string, title: string) {
  return store.sessions.create({ id, projectId, projectPath: '/p', mode: 'agent', model: null, title });
}

test('case-H04: a project keeps its id when its folder is renamed or made anew at the same path', () => {
  const first = store.projects.open('/old', facts('7'));
  const renamed = store.projects.open('/new', facts('7'));
  expect(renamed).toMatchObject({ id: first.id, path: '/new' });
  expect(store.projects.open('/new', facts('8')).id).toBe(first.id);
  expect(store.projects.open('/other', facts('9')).id).not.toBe(first.id);
  expect(store.projects.open('/unknown', facts(null)).id).not.toBe(first.id);
});

test('a forgotten project leaves the recent list and comes back with its sessions when opened', () => {
  const a = store.projects.open('/a', facts('1'));
  const b = store.projects.open('/b', facts('2'));
  session('s1', a.id, 'kept');
  store.projects.forget(a.id);
  expect(store.projects.recent(10).map((project) => project.id)).toEqual([b.id]);
  expect(store.projects.open('/a', facts('1')).id).toBe(a.id);
  expect(store.sessions.list({ projectId: a.id })).toHaveLength(1);
});

test('sessions are listed newest first, by project, and found by title in any letter case', () => {
  const a = store.projects.open('/a', facts('1'));
  const b = store.projects.open('/b', facts('2'));
  session('s1', a.id, 'Straße ÜBER 100%');
  session('s2', a.id, 'second');
  session('s3', b.id, 'third');
  expect(store.sessions.list({ projectId: a.id }).map((s) => s.id)).toEqual(['s2', 's1']);
  expect(store.sessions.list({ projectId: null, limit: 2 }).map((s) => s.id)).toEqual(['s3', 's2']);
  expect(store.sessions.list({ projectId: null, query: 'über 100%' }).map((s) => s.id)).toEqual(['s1']);
  expect(store.sessions.list({ projectId: null, query: '_' })).toEqual([]);
});

test('a session is read as it is now, whatever of it changed and whoever changed it', () => {
  const a = store.projects.open('/a', facts('1'));
  session('s1', a.id, 'one');
  const other = openStore({ dataDir: dir });
  const both = () => [store.sessions.get('s1'), other.sessions.get('s1')];
  const fresh = () => store.sessions.list({ projectId: a.id })[0];
  expect(both()).toEqual([fresh(), fresh()]);
  const usage = { type: 'usage', inputTokens: 7, outputTokens: 2, estimated: false, costMicros: 5 } as const;
  for (const change of [
    () => other.events.append('s1', 't', [usage]),
    () => store.sessions.update('s1', { title: 'two', lastFact: 'ran' }),
    () => store.events.append('s1', 't', [usage], [{ id: 'm', message: { role: 'user', content: 'x' } }]),
    () => other.sessions.update('s1', { model: 'x/y' }),
    () => store.sessions.update('s1', { model: null }),
  ]) {
    change();
    expect(both()).toEqual([fresh(), fresh()]);
  }
  expect(store.sessions.get('s1')).toMatchObject({ spentTokens: 18, costMicros: 10, messageCount: 1 });
  expect(store.sessions.get('s1')).toBe(store.sessions.get('s1'));
  other.close();
});

test('a session is changed by the fields given; null takes the model back to the default', () => {
  const a = store.projects.open('/a', facts('1'));
  const made = session('s1', a.id, 'one');
  const changed = store.sessions.update('s1', { title: 'two', model: 'x/y', activity: 'running' });
  expect(changed).toMatchObject({ title: 'two', model: 'x/y', mode: made.mode, activity: 'running' });
  expect(store.sessions.unfinished().map((s) => s.id)).toEqual(['s1']);
  expect(store.sessions.update('s1', { model: null, activity: 'idle' }).model).toBeNull();
  expect(store.sessions.unfinished()).toEqual([]);
  expect(() => store.sessions.update('gone', { title: 'x' })).toThrow(
    expect.objectContaining({ code: 'not_found' }),
  );
});

test('a removed session takes its events, messages, views and grants with it', () => {
  const a = store.projects.open('/a', facts('1'));
  session('s1', a.id, 'one');
  store.events.append('s1', 't1', [{ type: 'nudge', kind: 'k', text: 't' }]);
  store.grants.add({ action: 'run_command', resource: 'ls', effect: 'allow' }, 'session', 's1');
  store.sessions.remove('s1');
  expect(store.sessions.get('s1')).toBeNull();
  expect(store.events.after('s1', 0).events).toEqual([]);
  expect(store.grants.list('s1')).toEqual([]);
});

test("one session's grants are no other's; the same grant is stored once; revoking removes it", () => {
  const a = store.projects.open('/a', facts('1'));
  session('s1', a.id, 'one');
  session('s2', a.id, 'two');
  const rule = { action: 'run_command', resource: 'npm test', effect: 'allow' } as const;
  const always = store.grants.add({ ...rule, resource: 'ls' }, 'always', 's1');
  const mine = store.grants.add(rule, 'session', 's1');
  expect(always).toMatchObject({ scope: 'always', sessionId: null, lastUsedAt: null });
  expect(store.grants.add(rule, 'session', 's1').id).toBe(mine.id);
  expect(store.grants.list('s1').map((g) => g.id)).toEqual([always.id, mine.id]);
  expect(store.grants.list('s2').map((g) => g.id)).toEqual([always.id]);
  expect(store.grants.list(null).map((g) => g.id)).toEqual([always.id]);
  store.grants.touch(always.id);
  expect(store.grants.list(null)[0]?.lastUsedAt).toBeGreaterThan(0);
  store.grants.revoke(always.id);
  expect(store.grants.list(null)).toEqual([]);
});

test('state values come back as they were set; a value over 256 KB is refused', () => {
  store.state.set('global', 'layout', { left: 240, tabs: ['a', null] });
  store.state.set('p1', 'layout', [1]);
  expect(store.state.get('global', 'layout')).toEqual({ left: 240, tabs: ['a', null] });
  expect(store.state.get('p1', 'layout')).toEqual([1]);
  expect(store.state.get('p2', 'layout')).toBeNull();
  expect(() => {
    store.state.set('global', 'big', 'ä'.repeat(140_000));
  }).toThrow(expect.objectContaining({ code: 'bad_argument' }));
  store.state.set('global', 'layout', null);
  expect(store.state.get('global', 'layout')).toBeNull();
});

test('backups are kept per project and path until dropped', () => {
  const backup = { path: 'a.ts', baseHash: null, text: 'draft', cursorLine: 3, cursorColumn: 1 };
  store.backups.keep('p1', backup);
  store.backups.keep('p1', { ...backup, text: 'draft 2' });
  store.backups.keep('p2', backup);
  expect(store.backups.list('p1')).toMatchObject([{ path: 'a.ts', text: 'draft 2' }]);
  store.backups.drop('p1', 'a.ts');
  expect(store.backups.list('p1')).toEqual([]);
  expect(store.backups.list('p2')).toHaveLength(1);
});

test('a learnt context window is remembered per provider and model', () => {
  expect(store.learnedWindows.get('openai', 'm')).toBeNull();
  store.learnedWindows.learn('openai', 'm', 8192);
  store.learnedWindows.learn('openai', 'm', 4096);
  expect(store.learnedWindows.get('openai', 'm')).toBe(4096);
});
