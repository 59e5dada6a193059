import { expect, test } from 'vitest';
import type { CallId, MessageId, SessionId, TurnId } from '../../../shared/model/ids';
import { reduceSession } from '../../../shared/model/reduce-session';
import { emptySessionView } from '../../../shared/model/session-view';
import type { TurnEventPayload } from '../../../shared/model/turn-event';
import { spokenState } from './spoken';

const message = 'm1' as MessageId;
const play = (payloads: TurnEventPayload[]): string[] => {
  let view = emptySessionView();
  const said: string[] = [];
  for (const [i, payload] of payloads.entries()) {
    view = reduceSession(view, {
      ...payload,
      seq: i + 1,
      at: i,
      sessionId: 's' as SessionId,
      turnId: 't' as TurnId,
    });
    const sentence = spokenState(view);
    if (said.at(-1) !== sentence) said.push(sentence);
  }
  return said;
};

test('a turn is told in a sentence a step, without the tokens of its answer', () => {
  const said = play([
    { type: 'turn.started', messageId: message, text: 'Hi', mode: 'agent', agent: 'agent', kind: 'message' },
    { type: 'step.started', step: 1, maxSteps: 9, messageId: message },
    {
      type: 'call.requested',
      callId: 'c' as CallId,
      messageId: message,
      tool: 'read_file',
      args: {},
      label: 'Read `a.ts`',
    },
    { type: 'call.state', callId: 'c' as CallId, tool: 'read_file', state: 'success', durationMs: 3 },
    { type: 'step.started', step: 2, maxSteps: 9, messageId: 'm2' as MessageId },
    ...['The ', 'secret ', 'answer'].map((text): TurnEventPayload => ({
      type: 'text.delta',
      messageId: 'm2' as MessageId,
      text,
    })),
    { type: 'step.finished', step: 2, messageId: 'm2' as MessageId, durationMs: 5, kind: 'answer' },
    { type: 'turn.finished', reason: 'done', steps: 2, text: 'x', durationMs: 9 },
  ]);
  expect(said).toEqual([
    'Message sent.',
    'Step 1: thinking.',
    'Step 1: working.',
    'Read a.ts.',
    'Step 2: thinking.',
    'Step 2: answering.',
    'Step 2 finished.',
    'The agent has finished.',
  ]);
});
