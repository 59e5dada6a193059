import { tmpdir } from 'node:os';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { session } from '../../shared/contract/session';
import { turn } from '../../shared/contract/turn';
import type { Domain } from '../../shared/contract/define';
import { AppError } from '../../shared/error';
import { emptySessionView } from '../../shared/model/session-view';
import { SessionSummary } from '../../shared/model/session';
import type { TurnEvent, TurnEventPayload } from '../../shared/model/turn-event';
import { createRouter } from '../rpc/router';
import { type RunningServer, startServer } from './server';

type Listener = (message: unknown) => Promise<void>;

/** Sessions and turns in memory, behind the real contract: enough to see what the routes ask for and answer. */
function createBackend() {
  const sessions = new Map<string, SessionSummary>();
  const listeners = new Map<string, Set<Listener>>();
  const pendingApprovals = new Set<string>(['a1']);
  const calls: unknown[] = [];
  let seq = 0;
  const emit = (sessionId: string, payload: TurnEventPayload, turnId = 't1') => {
    seq += 1;
    const event = { ...payload, seq, at: 1, sessionId, turnId } as TurnEvent;
    for (const listener of listeners.get(sessionId) ?? []) void listener({ kind: 'events', events: [event] });
  };
  const find = (id: string): SessionSummary => {
    const summary = sessions.get(id);
    if (!summary) throw new AppError('not_found', 'There is no such session.');
    return summary;
  };
  const create = ({ mode }: { mode: SessionSummary['mode'] }) => {
    const id = `s${sessions.size + 1}` as SessionSummary['id'];
    const summary = SessionSummary.parse({
      id,
      projectId: 'p',
      projectPath: '/p',
      title: 'New',
      mode,
      model: null,
      activity: 'idle',
      lastFact: '',
      messageCount: 0,
      createdAt: 1,
      updatedAt: 1,
    });
    sessions.set(id, summary);
    return summary;
  };
  const rename = ({ id, title }: { id: string; title: string }) => {
    const renamed = { ...find(id), title };
    sessions.set(id, renamed);
    return renamed;
  };
  const events = ({ id }: { id: string }, send: Listener, { signal }: { signal: AbortSignal }) => {
    const summary = find(id);
    void send({ kind: 'snapshot', view: emptySessionView(), summary });
    const set = listeners.get(id) ?? new Set();
    listeners.set(id, set.add(send));
    signal.addEventListener('abort', () => set.delete(send));
  };
  const start = (input: { sessionId: string; text: string; images: object[] }) => {
    if (input.text === 'busy') throw new AppError('busy', 'A turn is running.');
    calls.push(['start', input.sessionId, input.text]);
    if (input.images.length > 0) calls.push(['images', input.images]);
    emit(input.sessionId, { type: 'text.delta', messageId: 'm' as never, text: 'early' });
    return { turnId: 't1' };
  };
  const note = (name: string) => (input: object) => {
    calls.push([name, input]);
    return null;
  };
  const reply = ({ id }: { id: string }) => ({ accepted: pendingApprovals.delete(id) });
  const handlers = {
    session: {
      list: () => [...sessions.values()],
      create,
      rename,
      events,
      remove: note('remove'),
      configure: note('configure'),
    },
    turn: {
      start,
      interject: note('interject'),
      stop: note('stop'),
      approvals: () => [],
      replyApproval: reply,
      replyQuestion: reply,
    },
  };
  return { handlers, calls, emit, listening: (id: string) => listeners.get(id)?.size ?? 0 };
}

const unused = () => {
  throw new AppError('unsupported', 'Not part of this test.');
};
const complete = (domain: Domain, some: object) => ({
  ...Object.fromEntries(Object.keys(domain.spec).map((name) => [name, unused])),
  ...some,
});

let backend: ReturnType<typeof createBackend>;
let server: RunningServer;

beforeEach(async () => {
  backend = createBackend();
  const router = createRouter({
    domains: { session, turn },
    handlers: {
      session: complete(session, backend.handlers.session),
      turn: complete(turn, backend.handlers.turn),
    },
    checkOutput: false,
    onFailure: () => {},
  });
  server = await startServer({ router, port: 0, rendererDir: tmpdir(), log: { error: () => {} } });
});
afterEach(() => server.close());

const call = (method: string, route: string, body?: unknown, signal?: AbortSignal): Promise<Response> =>
  fetch(`http://127.0.0.1:${server.port}${route}`, {
    method,
    headers: { authorization: `Bearer ${server.apiToken}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  });

const json = async (response: Response) => [response.status, await response.json()] as const;

interface Sent {
  event: string;
  data: unknown;
}

function parseEvents(text: string): Sent[] {
  return text
    .split('\n\n')
    .filter((block) => block.startsWith('event: '))
    .map((block) => {
      const [, event = '', data = ''] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? [];
      return { event, data: JSON.parse(data) as unknown };
    });
}

test('U6: a turn is told as token, tool, approval, answer and done, with nothing lost before the start', async () => {
  const response = await call('POST', '/api/turns', { text: 'hello' });
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  await expect.poll(() => backend.listening('s1')).toBe(1);
  backend.emit('s1', { type: 'text.delta', messageId: 'm' as never, text: 'other turn' }, 't0');
  backend.emit('s1', {
    type: 'call.state',
    callId: 'c' as never,
    tool: 'grep',
    state: 'success',
    label: 'Searched\nlines',
  });
  backend.emit('s1', { type: 'approval.asked', approval: { id: 'a1' } as never });
  backend.emit('s1', { type: 'turn.finished', reason: 'done', steps: 1, text: 'All done.', durationMs: 5 });
  expect(parseEvents(await response.text())).toEqual([
    { event: 'turn', data: { sessionId: 's1', turnId: 't1' } },
    { event: 'token', data: { text: 'early' } },
    { event: 'tool', data: { callId: 'c', tool: 'grep', state: 'success', label: 'Searched\nlines' } },
    { event: 'approval', data: { id: 'a1' } },
    { event: 'answer', data: { text: 'All done.' } },
    { event: 'done', data: { sessionId: 's1', turnId: 't1', reason: 'done' } },
  ]);
  expect(backend.listening('s1')).toBe(0);
});

test('what is wrong before the turn starts is a status and an envelope, not a stream', async () => {
  expect(await json(await call('POST', '/api/turns', {}))).toMatchObject([
    400,
    { error: { code: 'bad_argument' } },
  ]);
  expect(await json(await call('POST', '/api/turns', { text: 'x', txet: 1 }))).toMatchObject([
    400,
    { ok: false },
  ]);
  expect(await json(await call('POST', '/api/turns', { text: 'x', sessionId: 'none' }))).toMatchObject([
    404,
    { error: { code: 'not_found' } },
  ]);
  expect(await json(await call('POST', '/api/turns', { text: 'busy' }))).toMatchObject([
    409,
    { error: { code: 'busy' } },
  ]);
  await expect.poll(() => backend.listening('s1')).toBe(0);
});

test('images of a turn may be megabytes; a message needs text or an image', async () => {
  const image = { mime: 'image/png', base64: 'A'.repeat(10 * 1024 * 1024), name: 'big.png' };
  const response = await call('POST', '/api/turns', { images: [image] });
  expect(response.status).toBe(200);
  await expect.poll(() => backend.listening('s1')).toBe(1);
  backend.emit('s1', { type: 'turn.finished', reason: 'done', steps: 1, text: '', durationMs: 5 });
  expect(parseEvents(await response.text())).toHaveLength(4);
  expect(backend.calls).toContainEqual(['images', [image]]);
  const [status, body] = await json(await call('POST', '/api/turns', { text: '', images: [] }));
  expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('needs text or an image')]);
});

test('closing the connection leaves the turn running, unless the script asked to stop it', async () => {
  for (const stopOnDisconnect of [false, true]) {
    const abort = new AbortController();
    const response = await call('POST', '/api/turns', { text: 'go', stopOnDisconnect }, abort.signal);
    expect(response.ok).toBe(true);
    const id = stopOnDisconnect ? 's2' : 's1';
    abort.abort();
    await expect.poll(() => backend.listening(id)).toBe(0);
  }
  const stops = () => backend.calls.filter((entry) => Array.isArray(entry) && entry[0] === 'stop');
  await expect.poll(() => stops()).toEqual([['stop', { sessionId: 's2' }]]);
});

test('a script that does not read is cut off at a bounded cost', async () => {
  const response = await call('POST', '/api/turns', { text: 'go' });
  const text = 'x'.repeat(100_000);
  const listeningAfterMore = () => {
    for (let i = 0; i < 200; i += 1)
      backend.emit('s1', { type: 'text.delta', messageId: 'm' as never, text });
    return backend.listening('s1');
  };
  await expect.poll(listeningAfterMore).toBe(0);
  await expect(response.text()).rejects.toThrow();
});

test('U6: sessions are listed, renamed and removed; running turns interjected and stopped', async () => {
  backend.handlers.session.create({ mode: 'agent' });
  const title = 'A new name';
  expect(await json(await call('PATCH', '/api/sessions/s1', { title }))).toMatchObject([
    200,
    { value: { title } },
  ]);
  expect(await json(await call('GET', '/api/sessions'))).toMatchObject([
    200,
    { value: [{ id: 's1', title }] },
  ]);
  expect((await call('POST', '/api/sessions/s1/interject', { text: 'wait' })).status).toBe(200);
  expect((await call('POST', '/api/sessions/s1/stop')).status).toBe(200);
  expect((await call('DELETE', '/api/sessions/s1')).status).toBe(200);
  expect(backend.calls).toEqual([
    ['interject', { sessionId: 's1', text: 'wait', images: [] }],
    ['stop', { sessionId: 's1' }],
    ['remove', { id: 's1' }],
  ]);
});

test('U6: an approval is answered once; a second answer is a conflict', async () => {
  expect(await json(await call('GET', '/api/approvals'))).toEqual([200, { ok: true, value: [] }]);
  const answer = { answer: 'allow_once' };
  expect(await json(await call('POST', '/api/approvals/a1', answer))).toEqual([
    200,
    { ok: true, value: { accepted: true } },
  ]);
  expect(await json(await call('POST', '/api/approvals/a1', answer))).toMatchObject([
    409,
    { error: { code: 'conflict' } },
  ]);
  expect((await call('POST', '/api/approvals/a1', { answer: 'yes' })).status).toBe(400);
});

test('unknown routes say so, and known paths name their methods', async () => {
  expect((await call('GET', '/api/nothing')).status).toBe(404);
  expect((await call('GET', '/api')).status).toBe(404);
  const wrong = await json(await call('GET', '/api/sessions/s1/stop'));
  expect(wrong).toMatchObject([404, { error: { hint: 'This path takes POST.' } }]);
  expect((await call('PATCH', '/api/sessions/%E0%A4%A', { title: 'x' })).status).toBe(404);
  expect(await json(await call('PATCH', '/api/sessions/s1', [1]))).toMatchObject([400, { ok: false }]);
});

test('a fresh link signs another browser in', async () => {
  const { value } = (await (await call('POST', '/api/links')).json()) as { value: { url: string } };
  const response = await fetch(value.url, { redirect: 'manual' });
  expect(response.status).toBe(302);
});
