import { contextBridge, ipcRenderer } from 'electron';
import { EVENT_NAMES, IPC, REQUEST_NAMES, type Bridge } from '../shared/contract/names';

/** A fraction of the host's window of unacknowledged messages (`ACKNOWLEDGE_EVERY` of the contract's frames). */
const ACKNOWLEDGE_EVERY = 8;

interface Stream {
  onMessage: (frame: unknown) => void;
  unacknowledged: number;
}

const requests: ReadonlySet<string> = new Set(REQUEST_NAMES);
const events: ReadonlySet<string> = new Set(EVENT_NAMES);
/** Tells this document's messages from those of the one before a reload. */
const page = crypto.randomUUID();
const streams = new Map<number, Stream>();
let lastId = 0;

ipcRenderer.on(IPC.message, (_event, to: string, id: number, frame: { kind: string }) => {
  const stream = to === page ? streams.get(id) : undefined;
  if (!stream) return;
  if (frame.kind === 'end') streams.delete(id);
  else acknowledge(id, stream);
  stream.onMessage(frame);
});

function acknowledge(id: number, stream: Stream): void {
  stream.unacknowledged += 1;
  if (stream.unacknowledged < ACKNOWLEDGE_EVERY) return;
  ipcRenderer.send(IPC.acknowledge, page, id, stream.unacknowledged);
  stream.unacknowledged = 0;
}

const bridge: Bridge = {
  invoke: (channel, input) =>
    requests.has(channel)
      ? ipcRenderer.invoke(IPC.invoke, page, channel, input)
      : Promise.reject(new Error(`There is no request named "${channel}".`)),
  subscribe: (channel, params, onMessage) => {
    if (!events.has(channel)) throw new Error(`There is no event named "${channel}".`);
    const id = (lastId += 1);
    streams.set(id, { onMessage, unacknowledged: 0 });
    ipcRenderer.send(IPC.subscribe, page, id, channel, params);
    return () => {
      if (streams.delete(id)) ipcRenderer.send(IPC.unsubscribe, page, id);
    };
  },
};

contextBridge.exposeInMainWorld('lathe', Object.freeze(bridge));
