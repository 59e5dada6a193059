import { rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { TurnEventPayload } from '../../../shared/model/turn-event';
import type { ModelMessage } from '../model/port';
import { scratchFolder } from '../testing/scratch-folder';
import { openStore } from './open-store';
import { createSearchStore } from './search-store';
import { Sql } from './sql';
import type { Store } from './types';

let dir: string;
let store: Store;
let projectId: string;

beforeEach(() => {
  dir = scratchFolder('lathe-search-');
  store = openStore({ dataDir: dir });
  projectId = project('/p');
});
afterEach(() => {
  store.close();
  rmSync(dir, { recursive: true, force: true });
});

const project = (path: string): string =>
  store.projects.open(path, { name: 'p', device: null, inode: null, isTour: false }).id;

function session(id: string, messages: ModelMessage[], inProject = projectId): void {
  const row = { id, projectId: inProject, projectPath: '/p', mode: 'agent', model: null, title: id } as const;
  store.sessions.create(row);
  store.events.addMessages(
    id,
    't',
    messages.map((message, i) => ({ id: `${id}-${i}`, message })),
  );
}

const user = (content: string): ModelMessage => ({ role: 'user', content });
const assistant = (content: string): ModelMessage => ({ role: 'assistant', content });
const all = { projectId: null, sessions: 50, hitsPerSession: 3 };
const found = (query: string): [string, string[]][] =>
  store.search.find(query, all).map(({ sessionId, hits }) => [sessionId, hits.map(({ text }) => text)]);

test('M3: messages are found as soon as they are stored, over all projects, the newest first', () => {
  session('one', [user('Honour Retry-After'), assistant('The header is parsed in retry.ts')]);
  session('two', [user('unrelated')], project('/q'));
  session('three', [user('retrying forever')], project('/q'));
  expect(found('retry')).toEqual([
    ['three', ['retrying forever']],
    ['one', ['The header is parsed in retry.ts', 'Honour Retry-After']],
  ]);
  expect(store.search.find('retry', { ...all, projectId })).toMatchObject([{ sessionId: 'one', count: 2 }]);
  expect(store.search.find('retry', { ...all, hitsPerSession: 1 })[1]).toMatchObject({
    count: 2,
    hits: [{}],
  });
});

test('every word must be there; calls and tool results are found too', () => {
  session('s', [
    {
      role: 'assistant',
      content: '',
      calls: [{ id: 'c', name: 'run_command', arguments: '{"command":"npm ci"}' }],
    },
    { role: 'tool', callId: 'c', name: 'run_command', content: 'added 312 packages' },
  ]);
  expect(found('run_command "npm ci"')).toHaveLength(1);
  expect(store.search.find('312 packages', all)[0]?.hits).toMatchObject([
    {
      role: 'tool',
      text: 'added 312 packages',
      ranges: [
        [6, 9],
        [10, 18],
      ],
    },
  ]);
  expect(found('packages missing')).toEqual([]);
});

test('no text of a user is an error', () => {
  session('s', [user('AND OR NOT NEAR "quoted" * ^ : - ( ) col:x')]);
  for (const query of [
    '"',
    '*',
    'a AND',
    'NEAR(',
    'text:x',
    '-x',
    '^',
    '\0',
    'x"y',
    "'; DROP TABLE",
    '\u0301',
  ])
    expect(() => store.search.find(query, all)).not.toThrow();
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (query) => {
      store.search.find(query, all);
    }),
    { numRuns: 300 },
  );
});

test('a rewind and a deletion take messages out of the search', () => {
  session('s', [user('kept words'), user('voided words')]);
  const rewound: TurnEventPayload = {
    type: 'session.rewound',
    toSeq: 1,
    position: 2,
    items: 0,
    todos: [],
    plans: [],
    keptAs: null,
  };
  store.events.append('s', 't', [rewound]);
  expect(found('words')).toEqual([['s', ['kept words']]]);
  expect(store.sessions.get('s')?.messageCount).toBe(1);
  expect(store.events.messages('s').messages.map(({ position }) => position)).toEqual([1]);
  store.sessions.remove('s');
  expect(found('words')).toEqual([]);
});

test('messages from before the index are taken in bit by bit and can be interrupted at any bit', () => {
  session(
    'old',
    Array.from({ length: 450 }, (_, i) => user(`message number${i}`)),
  );
  session('new', [user('message of today')]);
  const sql = Sql.open(join(dir, 'lathe.db'));
  sql.exec(
    `UPDATE sessions SET indexed_position = last_position WHERE id = 'old';
     INSERT INTO search_pending VALUES ('old', 450)`,
  );
  sql.close();
  expect(found('number7')).toEqual([]);
  expect(store.search.backfill()).toBe(true);
  store.close();
  store = openStore({ dataDir: dir });
  expect(store.search.pending()).toBe(true);
  while (store.search.backfill());
  expect(store.search.pending()).toBe(false);
  expect(found('number7')[0]?.[1]).toHaveLength(3);
  expect(store.search.find('message', all).map(({ sessionId, count }) => [sessionId, count])).toEqual([
    ['new', 1],
    ['old', 450],
  ]);
});

test('new messages are taken in step by step, each once, also by another process and past an unreadable one', () => {
  session(
    's',
    Array.from({ length: 45 }, (_, i) => user(`message number${i}`)),
  );
  const sql = Sql.open(join(dir, 'lathe.db'));
  sql.exec(`UPDATE messages SET message = '{"role":5' WHERE position = 30`);
  const other = createSearchStore(sql);
  expect([store.search.indexNew(), other.indexNew(), store.search.indexNew()]).toEqual([true, true, true]);
  expect([store.search.indexNew(), other.indexNew()]).toEqual([false, false]);
  expect(sql.all('SELECT count(*) AS n, count(DISTINCT position) AS each FROM search_docs')).toEqual([
    { n: 44, each: 44 },
  ]);
  sql.close();
  session('t', [user('message of today')]);
  expect(store.search.find('message', all).map(({ sessionId, count }) => [sessionId, count])).toEqual([
    ['t', 1],
    ['s', 44],
  ]);
});

test('what a rewind voids before it was taken in is never found', () => {
  session('s', [user('kept words'), user('voided words')]);
  const rewound: TurnEventPayload = {
    ...{ type: 'session.rewound', toSeq: 1, position: 2, items: 0 },
    ...{ todos: [], plans: [], keptAs: null },
  };
  store.events.append('s', 't', [rewound]);
  store.events.append('s', 't2', [], [{ id: 'later', message: user('later words') }]);
  expect(found('words')).toEqual([['s', ['later words', 'kept words']]]);
});

test('case-H09: an unreadable message stops neither the search nor the indexing', () => {
  session('s', [user('one word'), user('two word')]);
  const sql = Sql.open(join(dir, 'lathe.db'));
  sql.exec(`UPDATE messages SET message = '{"role":5' WHERE position = 1;
    UPDATE sessions SET indexed_position = last_position; INSERT INTO search_pending VALUES ('s', 2)`);
  sql.close();
  while (store.search.backfill());
  expect(found('word')).toEqual([['s', ['two word']]]);
});
