import { expect, test } from 'vitest';
import type { Client } from '../../shared/contract/contract';
import type { MessageId, SessionId, TurnId } from '../../shared/model/ids';
import { reduceSession } from '../../shared/model/reduce-session';
import { emptySessionView, type SessionView } from '../../shared/model/session-view';
import { windowItems } from '../../shared/model/session-batch';
import type { SessionSummary } from '../../shared/model/session';
import type { TurnEvent, TurnEventPayload } from '../../shared/model/turn-event';
import { createSessionStore, followSession } from './session-store';

const id = 'session-1' as SessionId;
type Frame = Parameters<Parameters<Client['session']['events']['subscribe']>[1]>[0];

/** A host with one session in memory: it sends what a real one would, when the test says so. */
function createHost(snapshotItems = 1000) {
  let view: SessionView = emptySessionView();
  const listeners = new Set<(frame: Frame) => void>();
  const log: TurnEvent[] = [];
  const summary = { id, title: 'One' } as SessionSummary;
  let subscriptions = 0;
  const add = (...payloads: TurnEventPayload[]): TurnEvent[] => {
    const events = payloads.map((payload) => {
      const seq = view.seq + 1;
      const event = { ...payload, seq, at: seq, sessionId: id, turnId: 'turn-1' as TurnId };
      view = reduceSession(view, event);
      return event;
    });
    log.push(...events);
    return events;
  };
  const send = (events: TurnEvent[]): void => {
    for (const listener of listeners) listener({ kind: 'events', events });
  };
  const client = {
    session: {
      events: {
        subscribe: (_params: unknown, onMessage: (frame: Frame) => void) => {
          subscriptions += 1;
          listeners.add(onMessage);
          onMessage({ kind: 'snapshot', view: windowItems(view, snapshotItems), summary });
          return () => void listeners.delete(onMessage);
        },
      },
      older: async ({ before, limit }: { before: number; limit: number }) => {
        const start = Math.max(0, before - limit);
        return { view: { ...view, items: view.items.slice(start, before), olderItems: start } };
      },
    },
  } as unknown as Client;
  return {
    client,
    add,
    send,
    view: () => view,
    subscriptions: () => subscriptions,
    listeners,
    snapshot: () => {
      for (const listener of listeners) {
        listener({ kind: 'snapshot', view: windowItems(view, snapshotItems), summary });
      }
    },
  };
}

/** Frames that come when the test says so. */
function createFrames() {
  const tasks = new Set<() => void>();
  return {
    schedule: (task: () => void) => {
      tasks.add(task);
      return () => void tasks.delete(task);
    },
    run: () => {
      const due = [...tasks];
      tasks.clear();
      for (const task of due) task();
      return due.length;
    },
  };
}

const started = (n: number): TurnEventPayload => ({
  type: 'turn.started',
  messageId: `user-${n}` as MessageId,
  text: `Message ${n}`,
  mode: 'agent',
  agent: 'agent',
  kind: 'message',
});
const step = (n: number): TurnEventPayload => ({
  type: 'step.started',
  step: 1,
  maxSteps: 100,
  messageId: `message-${n}` as MessageId,
});
const delta = (n: number, text: string): TurnEventPayload => ({
  type: 'text.delta',
  messageId: `message-${n}` as MessageId,
  text,
});

test('a snapshot shows at once and events follow in one update a frame', () => {
  const host = createHost();
  const frames = createFrames();
  host.add(started(1), step(1));
  const session = followSession(host.client, id, frames.schedule);
  let updates = 0;
  session.state.subscribe(() => (updates += 1));
  for (const text of ['a', 'b', 'c']) host.send(host.add(delta(1, text)));
  expect(updates).toBe(0);
  expect(frames.run()).toBe(1);
  expect(updates).toBe(1);
  expect(session.state.get().view).toEqual(host.view());
});

test('a token touches its own row only and never the list', () => {
  const host = createHost();
  const frames = createFrames();
  host.add(...Array.from({ length: 50 }, (_, n) => [started(n), step(n)]).flat());
  const session = followSession(host.client, id, frames.schedule);
  const keys = host.view().items.map((item) => item.key);
  const told: string[] = [];
  for (const key of keys) session.subscribeItem(key, () => told.push(key));
  const turns = session.turns.get();
  host.send(host.add(delta(49, 'token')));
  frames.run();
  expect(told).toEqual([keys.at(-1)]);
  expect(session.turns.get()).toBe(turns);
  expect(session.item(keys.at(-1) ?? '')).toMatchObject({ text: 'token' });
});

test('fault-F118: a gap in the sequence asks for a new snapshot; nothing is lost or doubled', () => {
  const host = createHost();
  const frames = createFrames();
  host.add(started(1), step(1));
  const session = followSession(host.client, id, frames.schedule);
  host.send(host.add(delta(1, 'one ')));
  host.add(delta(1, 'lost '));
  host.send(host.add(delta(1, 'three')));
  frames.run();
  expect(host.subscriptions()).toBe(2);
  expect(session.state.get().view).toEqual(host.view());
});

test('a repeated event changes nothing', () => {
  const host = createHost();
  const frames = createFrames();
  const events = host.add(started(1), step(1), delta(1, 'once'));
  const session = followSession(host.client, id, frames.schedule);
  host.send(events);
  expect(frames.run()).toBe(0);
  expect(session.state.get().view).toEqual(host.view());
});

test('older items load before the first one and stay after a reconnect', async () => {
  const host = createHost(20);
  const frames = createFrames();
  host.add(...Array.from({ length: 80 }, (_, n) => [started(n), step(n)]).flat());
  const session = followSession(host.client, id, frames.schedule);
  expect(session.state.get().view).toMatchObject({ olderItems: 140 });
  await Promise.all([session.loadOlder(), session.loadOlder()]);
  expect(session.state.get().view.items).toHaveLength(120);
  host.snapshot();
  expect(session.state.get().view.items).toHaveLength(120);
  await session.loadOlder();
  await session.loadOlder();
  expect(session.state.get().view).toEqual(host.view());
});

test('a long session keeps a window while its end is in view, and all that is read otherwise', () => {
  const host = createHost();
  const frames = createFrames();
  const session = followSession(host.client, id, frames.schedule);
  const many = (from: number) =>
    Array.from({ length: 150 }, (_, n) => [started(from + n), step(from + n)]).flat();
  session.setFollowing(false);
  host.send(host.add(...many(0), ...many(150)));
  frames.run();
  expect(session.state.get().view.items).toHaveLength(600);
  session.setFollowing(true);
  host.send(host.add(delta(299, 'x')));
  frames.run();
  expect(session.state.get().view).toMatchObject({ olderItems: 400 });
  expect(session.state.get().view.items).toHaveLength(200);
  expect(session.turns.get()).toHaveLength(100);
});

test('the least recently used session is let go; one that is in use stays', () => {
  const host = createHost();
  const store = createSessionStore(host.client, createFrames().schedule);
  const release = store.retain('first' as SessionId);
  for (let n = 0; n < 10; n += 1) store.retain(`s${n}` as SessionId)();
  expect(host.listeners.size).toBe(6);
  const first = store.open('first' as SessionId);
  expect(host.subscriptions()).toBe(11);
  release();
  expect(store.open('first' as SessionId)).toBe(first);
});

const notice = (text: string): TurnEventPayload => ({ type: 'nudge', kind: 'k', text });

test('an older part is shown around a message, grows at both ends, and becomes one with the newest items', async () => {
  const host = createHost(10);
  for (let n = 0; n < 400; n += 1) host.add(notice(`note ${n}`));
  const session = followSession(host.client, id, (task) => (task(), () => undefined));
  expect(session.state.get().view.items).toHaveLength(10);
  const key = await session.showAround(100);
  expect(session.item(key ?? '')).toMatchObject({ text: 'note 100' });
  expect(session.state.get().past).toMatchObject({ olderItems: 60, newerItems: 260 });
  host.send(host.add(notice('something new')));
  expect(session.item(key ?? '')).toBeDefined();
  expect(session.state.get().view.items.at(-1)).toMatchObject({ text: 'something new' });
  await session.loadOlder();
  expect(session.state.get().past?.olderItems).toBe(0);
  for (let i = 0; i < 3; i += 1) await session.loadNewer();
  expect(session.state.get().past).toBeNull();
  const all = session.state.get().view;
  expect(all.olderItems).toBe(0);
  expect(all.items.map((item) => item.key)).toEqual(host.view().items.map((item) => item.key));
  expect(session.turns.get().flatMap((turn) => turn.itemKeys)).toHaveLength(401);
});

test('from an older part there is a way back to the newest items; what is there already is shown at once', async () => {
  const host = createHost(10);
  for (let n = 0; n < 300; n += 1) host.add(notice(`note ${n}`));
  const session = followSession(host.client, id, (task) => (task(), () => undefined));
  await session.showAround(5);
  expect(session.state.get().past).not.toBeNull();
  session.showNewest();
  expect(session.state.get().past).toBeNull();
  expect(session.turns.get().flatMap((turn) => turn.itemKeys)).toHaveLength(10);
  const key = await session.showAround(295);
  expect(session.item(key ?? '')).toMatchObject({ text: 'note 295' });
  expect(session.state.get().past).toBeNull();
  expect(await session.showAround(1000)).toBeNull();
});
