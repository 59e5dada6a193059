import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStore } from '../store/open-store';
import { Sql } from '../store/sql';
import type { Store } from '../store/types';
import { scratchFolder } from '../testing/scratch-folder';
import { SessionHistory } from './session-history';

let dir = '';
let store: Store;

beforeEach(async () => {
  dir = scratchFolder('lathe-history-');
  store = openStore({ dataDir: dir });
  const { id } = store.projects.open(dir, { name: 'p', device: null, inode: null, isTour: false });
  store.sessions.create({ id: 's', projectId: id, projectPath: dir, mode: 'agent', model: null, title: 't' });
});
afterEach(async () => {
  store.close();
  await rm(dir, { recursive: true, force: true });
});

const add = (from: number, to: number): void =>
  store.events.addMessages(
    's',
    't',
    Array.from({ length: to - from }, (_, i) => ({
      id: `m${from + i}`,
      message: { role: 'user' as const, content: `${from + i}` },
    })),
  );
const load = () => SessionHistory.load('s', store.events, () => crypto.randomUUID());
const contents = (history: SessionHistory): number[] =>
  history.messages.map(({ content }) => Number(content));
const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

test('messages are read in small steps ahead of time, each looked at once, and at once when somebody needs them', async () => {
  add(0, 90);
  const history = load();
  const seen: string[] = [];
  const warming = history.warm(({ content }) => seen.push(content));
  expect(seen.length).toBeLessThan(90);
  expect(contents(history)).toEqual(upTo(90));
  await warming;
  const other = load();
  const all: string[] = [];
  await other.warm(({ content }) => all.push(content));
  expect(all.map(Number)).toEqual(upTo(90));
  expect(other.entries.map(({ id }) => id)[89]).toBe('m89');
});

test('what was let go is read again, and reading ahead ends with it', async () => {
  add(0, 90);
  const history = load();
  const warming = history.warm(() => undefined);
  history.release();
  await warming;
  expect(contents(history)).toEqual(upTo(90));
});

test('what another process added comes behind what is known; what it rewound is read anew', () => {
  add(0, 5);
  const history = load();
  expect(contents(history)).toEqual(upTo(5));
  add(5, 8);
  const positionOf = (id: string): number | null => store.branches.message('s', id)?.position ?? null;
  history.catchUp(positionOf);
  expect(contents(history)).toEqual(upTo(8));
  const sql = Sql.open(join(dir, 'lathe.db'));
  sql.exec(`UPDATE messages SET voided_by = 99 WHERE position > 3`);
  sql.close();
  history.catchUp(positionOf);
  expect(contents(history)).toEqual(upTo(3));
});

test('case-H09: unreadable messages, however many in a row, hide none that comes after them', async () => {
  add(0, 120);
  const sql = Sql.open(join(dir, 'lathe.db'));
  sql.exec(`UPDATE messages SET message = '{"role":' WHERE position BETWEEN 11 AND 100`);
  sql.close();
  const expected = [...upTo(10), ...Array.from({ length: 20 }, (_, i) => 100 + i)];
  expect(contents(load())).toEqual(expected);
  const history = load();
  await history.warm(() => undefined);
  expect(contents(history)).toEqual(expected);
});
