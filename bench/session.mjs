/** A long session (5,000 messages, 50 MB): how soon it opens, what a message in it costs, what it takes of the memory. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { call, importLongSession, sessionIn } from './fill-session.mjs';
import { startHost } from './host.mjs';
import { startModelServer } from './model-server.mjs';
import { median, round } from './statistics.mjs';

const MESSAGES = 5_000;
const BYTES = 50_000_000;
const SENDS = 7;

/** Resident memory of a living process in MB; Linux only, null elsewhere. */
function residentMb(pid) {
  try {
    const line = readFileSync(`/proc/${pid}/status`, 'utf8').match(/VmRSS:\s+(\d+)/);
    return line ? Number(line[1]) / 1024 : null;
  } catch {
    return null;
  }
}

/** A window without a page: asks for a session and waits for its snapshot. */
function openSession(host, id) {
  return new Promise((resolve, reject) => {
    const origin = `http://127.0.0.1:${host.port}`;
    const headers = { authorization: `Bearer ${host.token}`, origin };
    const socket = new WebSocket(`ws://127.0.0.1:${host.port}/ws`, { headers });
    let startedAt = 0;
    socket.once('open', () => {
      startedAt = performance.now();
      socket.send(JSON.stringify({ type: 'sub', id: 1, channel: 'session.events', params: { id } }));
    });
    socket.once('message', (data) => {
      const snapshotMs = performance.now() - startedAt;
      const { payload } = JSON.parse(data.toString());
      resolve({ socket, snapshotMs, view: payload.view, bytes: data.length });
    });
    socket.once('error', reject);
  });
}

function request(socket, channel, input) {
  return new Promise((resolve) => {
    const startedAt = performance.now();
    const id = Math.floor(Math.random() * 1e9) + 2;
    const onMessage = (data) => {
      const frame = JSON.parse(data.toString());
      if (frame.type !== 'res' || frame.id !== id) return;
      socket.off('message', onMessage);
      resolve({ ms: performance.now() - startedAt, envelope: frame.envelope });
    };
    socket.on('message', onMessage);
    socket.send(JSON.stringify({ type: 'req', id, channel, input }));
  });
}

/** Waits until old messages are in the search index; how long that took. */
async function untilIndexed(socket, query) {
  const startedAt = performance.now();
  for (;;) {
    const { envelope } = await request(socket, 'session.search', { query });
    if (envelope.value?.[0]?.hits.length > 0) return performance.now() - startedAt;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** Milliseconds from sending a message to the model's request, for each of some messages. */
async function sendMs(host, model, sessionId) {
  const times = [];
  let id = sessionId;
  for (let n = 0; n < SENDS; n += 1) {
    const before = model.records.length;
    const sentAt = performance.timeOrigin + performance.now();
    const stream = await call(host, 'POST', '/api/turns', {
      text: `fill: hello ${n}`,
      mode: 'ask',
      ...(id ? { sessionId: id } : {}),
    });
    id ??= sessionIn(stream);
    times.push(model.records[before].arrivedAt - sentAt);
  }
  return times;
}

export async function measureSession({ node, cli, project }) {
  const model = await startModelServer({ turns: 0, words: 20 });
  const home = mkdtempSync(join(tmpdir(), 'lathe-bench-'));
  const options = { node, cli, project, home, model };
  let host = await startHost(options);
  try {
    const { id, importMs, messages } = await importLongSession(host, MESSAGES, BYTES);
    await host.stop();
    host = await startHost(options);
    const short = await sendMs(host, model, null);
    const freshMb = residentMb(host.pid);
    const { socket, snapshotMs, view } = await openSession(host, id);
    const openMb = residentMb(host.pid);
    const older = await request(socket, 'session.older', { id, before: view.olderItems, limit: 100 });
    const middle = await request(socket, 'session.older', { id, before: 1500, limit: 100 });
    const indexed = await untilIndexed(socket, 'thing123');
    const found = await request(socket, 'session.search', { query: 'thing123' });
    const { position } = found.envelope.value[0].hits[0];
    const located = await request(socket, 'session.locate', { id, position });
    // A person reads before they write; the messages for the model are read ahead meanwhile.
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    const long = await sendMs(host, model, id);
    const sentMb = residentMb(host.pid);
    const fork = await request(socket, 'session.fork', { id });
    socket.close();
    return {
      messages,
      importMs: round(importMs, 0),
      snapshotMs: round(snapshotMs),
      olderMs: round(older.ms),
      middleMs: round(middle.ms),
      indexedAfterMs: round(indexed, 0),
      searchMs: round(found.ms),
      locateMs: round(located.ms),
      firstSendMs: round(long[0]),
      sendMs: round(median(long.slice(1))),
      shortSendMs: round(median(short.slice(1))),
      sendOverShortMs: round(median(long.slice(1)) - median(short.slice(1))),
      forkMs: round(fork.ms, 0),
      residentMb: { fresh: round(freshMb, 0), open: round(openMb, 0), afterSends: round(sentMb, 0) },
    };
  } finally {
    await host.stop();
    await model.close();
    rmSync(home, { recursive: true, force: true });
  }
}
