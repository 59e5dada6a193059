import { beforeAll, expect, test, vi } from 'vitest';
import type { Bridge } from '../shared/contract/names';
import { IPC } from '../shared/contract/names';

type Listener = (event: object, ...args: unknown[]) => void;

const electron = vi.hoisted(() => ({
  exposed: new Map<string, unknown>(),
  sent: [] as unknown[][],
  hear: null as Listener | null,
}));

vi.mock('electron', () => ({
  contextBridge: { exposeInMainWorld: (name: string, api: unknown) => electron.exposed.set(name, api) },
  ipcRenderer: {
    on: (_channel: string, listener: Listener) => (electron.hear = listener),
    send: (...message: unknown[]) => electron.sent.push(message),
    invoke: async (...message: unknown[]) => message,
  },
}));

let bridge: Bridge;
let page: unknown;

beforeAll(async () => {
  await import('./index');
  bridge = electron.exposed.get('lathe') as Bridge;
  page = ((await bridge.invoke('app.info', null)) as unknown[])[1];
});

test('sec-H07: the page gets two functions, frozen, and nothing of Electron', () => {
  expect([...electron.exposed.keys()]).toEqual(['lathe']);
  expect(Object.keys(bridge)).toEqual(['invoke', 'subscribe']);
  expect(Object.values(bridge).every((member) => typeof member === 'function')).toBe(true);
  expect(Object.isFrozen(bridge)).toBe(true);
});

test('sec-H06: only names of the contract pass, and only over the channels of the contract', async () => {
  expect(await bridge.invoke('files.read', { path: 'a' })).toEqual([
    IPC.invoke,
    page,
    'files.read',
    { path: 'a' },
  ]);
  for (const name of ['', 'files', 'app.commands', 'lathe:invoke', '__proto__', 'constructor']) {
    await expect(bridge.invoke(name, null)).rejects.toThrow('no request named');
    const before = electron.sent.length;
    if (name !== 'app.commands')
      expect(() => bridge.subscribe(name, null, () => undefined)).toThrow('no event named');
    expect(electron.sent).toHaveLength(before);
  }
});

test('a subscription hears its own frames, acknowledges every eighth and says when it leaves', () => {
  const frames: unknown[] = [];
  electron.sent.length = 0;
  const leave = bridge.subscribe('session.events', { id: 's' }, (frame) => frames.push(frame));
  const [[, , id] = []] = electron.sent;
  expect(electron.sent).toEqual([[IPC.subscribe, page, id, 'session.events', { id: 's' }]]);
  electron.hear?.({}, 'another page', id, { kind: 'message', payload: 0 });
  electron.hear?.({}, page, 999, { kind: 'message', payload: 0 });
  for (let payload = 1; payload <= 9; payload += 1)
    electron.hear?.({}, page, id, { kind: 'message', payload });
  expect(frames).toHaveLength(9);
  expect(electron.sent.slice(1)).toEqual([[IPC.acknowledge, page, id, 8]]);
  leave();
  leave();
  electron.hear?.({}, page, id, { kind: 'message', payload: 10 });
  expect(frames).toHaveLength(9);
  expect(electron.sent.slice(2)).toEqual([[IPC.unsubscribe, page, id]]);
});

test('a stream that ended is not left a second time', () => {
  electron.sent.length = 0;
  const frames: unknown[] = [];
  const leave = bridge.subscribe('app.notices', null, (frame) => frames.push(frame));
  electron.hear?.({}, page, electron.sent[0]?.[2], { kind: 'end' });
  leave();
  expect(frames).toEqual([{ kind: 'end' }]);
  expect(electron.sent).toHaveLength(1);
});
