import { rm } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CallId, MessageId, SessionId } from '../../../shared/model/ids';
import { reduceSession } from '../../../shared/model/reduce-session';
import { emptySessionView, type ItemView } from '../../../shared/model/session-view';
import type { TurnEventPayload } from '../../../shared/model/turn-event';
import { openStore } from '../store/open-store';
import type { Store } from '../store/types';
import { scratchFolder } from '../testing/scratch-folder';
import { SessionWindow } from './session-window';

let dir = '';
let store: Store;
const id = 's' as SessionId;

beforeEach(async () => {
  dir = scratchFolder('lathe-window-');
  store = openStore({ dataDir: dir });
  const project = store.projects.open(dir, { name: 'p', device: null, inode: null, isTour: false });
  const row = { projectId: project.id, projectPath: dir, mode: 'agent', model: null, title: 't' } as const;
  store.sessions.create({ id, ...row });
});
afterEach(async () => {
  store.close();
  await rm(dir, { recursive: true, force: true });
});

/** A turn of two steps: five events, four items. */
const turn = (n: number): TurnEventPayload[] => {
  const step = (k: number) =>
    ({ type: 'step.started', step: k, maxSteps: 9, messageId: `a${n}.${k}` as MessageId }) as const;
  return [
    {
      type: 'turn.started',
      messageId: `u${n}` as MessageId,
      text: `ask ${n}`,
      mode: 'agent',
      agent: 'Agent',
      kind: 'message',
    },
    step(1),
    {
      type: 'call.requested',
      callId: `c${n}` as CallId,
      messageId: `a${n}.1` as MessageId,
      tool: 'x',
      args: {},
      label: 'X',
    },
    step(2),
    { type: 'text.delta', messageId: `a${n}.2` as MessageId, text: `answer ${n}` },
    { type: 'turn.finished', reason: 'done', steps: 2, text: '', durationMs: 1 },
  ];
};
const EVENTS = 6;
const ITEMS = 4;

/** Stores turns the way a running session does: the window hears each event and is kept at the end of each turn. */
function play(window: SessionWindow, from: number, to: number): void {
  for (let n = from; n < to; n += 1) {
    window.add(store.events.append(id, `t${n}`, turn(n)));
    window.save();
  }
}

/** The truth: all events that count, reduced without any window. */
function whole(): ItemView[] {
  const events = store.events.after(id, 0).events;
  return events.reduce(reduceSession, emptySessionView()).items;
}

function readAll(window: SessionWindow, step: number): ItemView[] {
  const items = [...window.view.items];
  for (let before = window.view.olderItems; before > 0;) {
    const older = window.older(before, step);
    items.unshift(...older.items);
    before = older.olderItems;
  }
  return items;
}

test('a long session keeps its newest items in memory and gives every older one as it was', () => {
  const window = new SessionWindow(id, store);
  play(window, 0, 300);
  expect(window.view.items.length).toBeLessThanOrEqual(320);
  expect(window.view.olderItems + window.view.items.length).toBe(300 * ITEMS);
  expect(readAll(window, 70)).toEqual(whole());
  const again = new SessionWindow(id, store);
  expect(again.view.items.length).toBeLessThan(100);
  expect(readAll(again, 33)).toEqual(whole());
});

test('a reverted edit of an older turn is reverted when that turn is read again', () => {
  const window = new SessionWindow(id, store);
  const diff = {
    path: 'a',
    change: 'modify',
    additions: 1,
    deletions: 0,
    hunks: [],
    unified: '',
    truncated: false,
    beforeHash: null,
    afterHash: null,
  } as const;
  window.add(
    store.events.append(id, 't', [
      ...turn(0).slice(0, 3),
      { type: 'diff', callId: 'c0' as CallId, diff: { ...diff, hunks: [] } },
      ...turn(0).slice(3),
    ]),
  );
  play(window, 1, 200);
  window.add(
    store.events.append(id, 't', [
      { type: 'diff.reverted', callId: 'c0' as CallId, path: 'a', diff: { ...diff, hunks: [] } },
    ]),
  );
  const [, step] = window.older(4, 4).items;
  expect(step?.kind === 'step' && step.calls[0]?.diffs[0]?.reverted).toBe(true);
});

test('after a rewind the items before it are there again, and what came after is nowhere', () => {
  const window = new SessionWindow(id, store);
  play(window, 0, 150);
  const cut = 20;
  const rewound: TurnEventPayload = {
    type: 'session.rewound',
    toSeq: cut * EVENTS + 1,
    position: 1,
    items: cut * ITEMS,
    todos: [],
    plans: [],
    keptAs: null,
  };
  window.add(store.events.append(id, 't', [rewound]));
  expect(window.view.items.length + window.view.olderItems).toBe(cut * ITEMS);
  expect(window.view.items.at(-1)).toEqual(whole().at(-1));
  play(window, 500, 600);
  expect(readAll(window, 50)).toEqual(whole());
  expect(readAll(new SessionWindow(id, store), 50)).toEqual(whole());
});

test('a store that keeps a whole view, or none, opens to the same items', () => {
  const events = Array.from({ length: 120 }, (_, n) => store.events.append(id, `t${n}`, turn(n))).flat();
  const old = events.slice(0, 100 * EVENTS).reduce(reduceSession, emptySessionView());
  const none = new SessionWindow(id, store);
  expect(readAll(none, 60)).toEqual(whole());
  store.events.saveView(id, old);
  const window = new SessionWindow(id, store);
  expect(window.costly).toBe(true);
  window.save();
  expect(readAll(window, 60)).toEqual(whole());
  expect(readAll(new SessionWindow(id, store), 60)).toEqual(whole());
});

test('any message is found by the number of the item that shows it', () => {
  const window = new SessionWindow(id, store);
  play(window, 0, 200);
  for (const n of [0, 3, 100, 199]) {
    const start = store.branches.turnStart(id, `t${n}`)?.seq ?? 0;
    const all = whole();
    const index = window.indexOf(`a${n}.2`, start) ?? -1;
    expect(all[index]).toMatchObject({ kind: 'step', messageId: `a${n}.2` });
    expect(window.older(index + 1, 1).items).toEqual([all[index]]);
  }
  expect(window.indexOf('nowhere', 1)).toBeNull();
});
