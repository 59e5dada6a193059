import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { GivenImages, isSaid, NOTHING_SAID } from '../../shared/image/given-images';
import { SessionId } from '../../shared/model/ids';
import { Mode } from '../../shared/model/mode';
import type { TurnEvent } from '../../shared/model/turn-event';
import { AppError } from '../../shared/error';
import type { Router } from '../rpc/router';
import { createOutbox } from '../rpc/outbox';
import { createApiCaller } from './api-caller';
import { type EventStream, openEventStream } from './event-stream';
import { MAX_MESSAGE_BYTES, readJsonBody } from './json-body';

const TurnRequest = z
  .strictObject({
    /** A new session when absent. */
    sessionId: SessionId.optional(),
    /** May be empty or left out beside images. */
    text: z.string().max(1_000_000).default(''),
    images: GivenImages,
    mode: Mode.optional(),
    /** The turn outlives the connection unless this is true. */
    stopOnDisconnect: z.boolean().default(false),
  })
  .refine(isSaid, NOTHING_SAID);
type TurnRequest = z.output<typeof TurnRequest>;

/** A message of the `session.events` channel as far as it is needed here. */
interface SessionMessage {
  kind: 'snapshot' | 'events' | 'summary';
  events?: TurnEvent[];
}

/**
 * `POST /api/turns`: starts a turn and tells it as server-sent events until it ends. Anything wrong before the turn runs
 * is thrown, so that it becomes an ordinary failure with a status.
 */
export async function streamTurn(
  router: Router,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const wanted = parseTurn(await readJsonBody(request, MAX_MESSAGE_BYTES));
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  const context = { clientId: randomUUID(), signal: gone.signal };
  const call = createApiCaller(router, context);
  const sessionId = await sessionOf(wanted, call);
  const followed = followSession(router, sessionId, context, () => response.destroy());
  await followed.ready;
  const { turnId } = await call('turn', 'start', {
    ...{ sessionId, text: wanted.text, images: wanted.images },
  });
  const stream = openEventStream(response, gone.signal);
  await stream.send('turn', { sessionId, turnId });
  const finished = await tellTurn(stream, followed.events, turnId);
  if (!finished && wanted.stopOnDisconnect) await call('turn', 'stop', { sessionId });
  gone.abort();
  stream.end();
}

function parseTurn(body: unknown): TurnRequest {
  const parsed = TurnRequest.safeParse(body);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'body'}: ${issue.message}`);
  throw new AppError('bad_argument', `The request body is not valid (${problems.join('; ')}).`, {
    hint: 'See docs/rest.md for the fields.',
  });
}

async function sessionOf(wanted: TurnRequest, call: ReturnType<typeof createApiCaller>): Promise<SessionId> {
  const { sessionId, mode } = wanted;
  if (sessionId === undefined) return (await call('session', 'create', { mode: mode ?? 'agent' })).id;
  if (mode !== undefined) await call('session', 'configure', { id: sessionId, mode });
  return sessionId;
}

interface Followed {
  /** Settles once events are being received; rejects when the session can't be followed. */
  ready: Promise<void>;
  /** Ends with the signal. */
  events: AsyncIterable<TurnEvent>;
}

/** The session's events from now on, in a bounded queue: a script that reads too slowly is cut off, its turn goes on. */
function followSession(
  router: Router,
  sessionId: SessionId,
  context: { clientId: string; signal: AbortSignal },
  cutOff: () => void,
): Followed {
  const batches: TurnEvent[][] = [];
  let wake = (): void => {};
  let subscribed = (): void => {};
  const outbox = createOutbox({
    onOverflow: cutOff,
    deliver: (message) => {
      const { kind, events } = message as SessionMessage;
      if (kind === 'snapshot') subscribed();
      if (kind === 'events' && events) batches.push(events);
      else outbox.acknowledge(1);
      wake();
    },
  });
  context.signal.addEventListener('abort', () => {
    outbox.close();
    wake();
  });
  const ready = new Promise<void>((resolve, reject) => {
    subscribed = resolve;
    const start = async () =>
      router.open('session.events', { id: sessionId })((message) => outbox.send(message), context);
    start().catch(reject);
  });
  async function* events(): AsyncGenerator<TurnEvent> {
    while (!context.signal.aborted) {
      const batch = batches.shift();
      if (!batch) {
        await new Promise<void>((resolve) => (wake = resolve));
        continue;
      }
      yield* batch;
      outbox.acknowledge(1);
    }
  }
  return { ready, events: events() };
}

/** True when the turn came to its end, false when the client went away before. */
async function tellTurn(
  stream: EventStream,
  events: AsyncIterable<TurnEvent>,
  turnId: string,
): Promise<boolean> {
  for await (const event of events) {
    if (event.turnId !== turnId) continue;
    for (const [name, data] of publicEvents(event)) await stream.send(name, data);
    if (event.type === 'turn.finished') return true;
  }
  return false;
}

/** The public event names; what is not listed here is told over the socket only. */
function publicEvents(event: TurnEvent): [name: string, data: unknown][] {
  switch (event.type) {
    case 'text.delta':
      return [['token', { text: event.text }]];
    case 'text.reset':
      return [['reset', {}]];
    case 'call.requested': {
      const { callId, tool, label } = event;
      return [['tool', { callId, tool, state: 'requested', label }]];
    }
    case 'call.state': {
      const { callId, tool, state, label, error } = event;
      return [['tool', { callId, tool, state, label, error }]];
    }
    case 'approval.asked':
      return [['approval', event.approval]];
    case 'question.asked':
      return [['question', { id: event.questionId, question: event.question, options: event.options }]];
    case 'turn.finished': {
      const { sessionId, turnId, reason, error, text } = event;
      return [
        ['answer', { text }],
        ['done', { sessionId, turnId, reason, error }],
      ];
    }
    default:
      return [];
  }
}
