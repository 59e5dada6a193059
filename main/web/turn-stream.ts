import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { SessionId } from '../../shared/model/ids';
import { Mode } from '../../shared/model/mode';
import type { TurnEvent } from '../../shared/model/turn-event';
import { type EventStream, openEventStream } from './event-stream';
import { readJsonBody } from './json-body';
import { errorDetail, type HostLog, type WebCore } from './web-core';

const TurnRequest = z.strictObject({
  /** A new session when absent. */
  sessionId: SessionId.optional(),
  text: z.string().min(1).max(1_000_000),
  mode: Mode.optional(),
  /** The turn outlives the connection unless this is true. */
  stopOnDisconnect: z.boolean().default(false),
});

/**
 * `POST /api/turns`: starts a turn and tells it as server-sent events until it ends. Anything wrong before the turn runs
 * is thrown, so that it becomes an ordinary failure with a status.
 */
export async function streamTurn(
  core: WebCore,
  request: IncomingMessage,
  response: ServerResponse,
  log: HostLog,
): Promise<void> {
  const { sessionId: wanted, text, mode, stopOnDisconnect } = await readJsonBody(request, TurnRequest);
  const sessionId = wanted ?? core.sessions.create({ mode: mode ?? 'agent', model: null }).id;
  if (wanted !== undefined && mode !== undefined) await core.sessions.configure(wanted, { mode });

  const early: TurnEvent[] = [];
  let deliver = (event: TurnEvent): void => void early.push(event);
  // Before the start, so that not even the first event is missed.
  const unsubscribe = core.subscribe(sessionId, (event) => deliver(event));
  let finished = false;
  try {
    const { turnId } = await core.turns.start({ sessionId, text });
    const stream = openEventStream(response);
    stream.send('turn', { sessionId, turnId });
    deliver = (event) => {
      if (event.turnId !== turnId) return;
      tell(stream, event);
      if (event.type !== 'turn.finished') return;
      finished = true;
      unsubscribe();
      stream.end();
    };
    early.forEach((event) => deliver(event));
  } catch (error) {
    unsubscribe();
    throw error;
  }
  response.on('close', () => {
    unsubscribe();
    if (!stopOnDisconnect || finished) return;
    core.turns
      .stop(sessionId)
      .catch((error: unknown) => log.error('stop after disconnect failed', errorDetail(error)));
  });
}

/** The public event names; what is not listed here is told over the socket only. */
function tell(stream: EventStream, event: TurnEvent): void {
  if (event.type === 'text.delta') stream.send('token', { text: event.text });
  else if (event.type === 'text.reset') stream.send('reset', {});
  else if (event.type === 'call.requested') {
    stream.send('tool', { callId: event.callId, tool: event.tool, state: 'requested', label: event.label });
  } else if (event.type === 'call.state') {
    const { callId, tool, state, label, error } = event;
    stream.send('tool', { callId, tool, state, label, error });
  } else if (event.type === 'approval.asked') stream.send('approval', event.approval);
  else if (event.type === 'question.asked') {
    stream.send('question', { id: event.questionId, question: event.question, options: event.options });
  } else if (event.type === 'turn.finished') {
    stream.send('answer', { text: event.text });
    const { sessionId, turnId, reason, error } = event;
    stream.send('done', { sessionId, turnId, reason, error });
  }
}
