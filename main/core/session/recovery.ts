import type { CallView, SessionView } from '../../../shared/model/session-view';
import type { SessionSummary } from '../../../shared/model/session';
import type { TurnEventPayload } from '../../../shared/model/turn-event';
import { INTERRUPTED_RESULT } from '../context/sanitise';
import type { ModelMessage } from '../model/port';
import type { Store } from '../store/types';
import { NO_TAPE, type LogTape } from './event-log';
import { loadView } from './session-runtime';

const OPEN = new Set(['validating', 'awaiting_approval', 'running']);
const NOT_STARTED = 'Not run: Lathe was closed before this call started.';

/** Calls of a turn that have not ended. */
export function openCalls(view: SessionView, turnId: string): CallView[] {
  return view.items.flatMap((item) =>
    item.kind === 'step' && item.turnId === turnId ? item.calls.filter((call) => OPEN.has(call.state)) : [],
  );
}

/** A call that was journalled as running may have done its work; any other one certainly did not start. */
const verdict = (call: CallView): string => (call.state === 'running' ? INTERRUPTED_RESULT : NOT_STARTED);

export const closeCall = (call: CallView): TurnEventPayload => ({
  type: 'call.state',
  callId: call.callId,
  tool: call.tool,
  state: call.state === 'running' ? 'error' : 'cancelled',
  error: { code: 'cancelled', message: verdict(call), audience: 'user' },
});

export const resultMessage = (call: CallView): ModelMessage => ({
  role: 'tool',
  callId: call.callId,
  name: call.tool,
  content: verdict(call),
});

/**
 * Puts a session right whose process died in mid-turn (H11 of faults §1.2): calls in flight get a result that claims
 * nothing about their effect, calls that never started are cancelled, the turn is closed. Nothing is run again.
 *
 * @returns false when there was nothing to mend
 */
export function recoverSession(
  summary: SessionSummary,
  store: Store,
  newId: () => string,
  recorder: LogTape = NO_TAPE,
): boolean {
  const view = loadView(summary.id, store);
  if (!view.live) {
    store.sessions.update(summary.id, { activity: 'idle' });
    return false;
  }
  const { turnId, step, startedAt } = view.live;
  const calls = openCalls(view, turnId);
  const payloads: TurnEventPayload[] = [
    ...calls.map(closeCall),
    {
      type: 'turn.finished',
      reason: 'error',
      steps: step,
      text: '',
      durationMs: Math.max(0, Date.now() - startedAt),
      error: {
        code: 'cancelled',
        message: 'Lathe was closed while this turn ran. Everything up to here is kept.',
        hint: calls.some((call) => call.state === 'running')
          ? 'A call was still running; check what it did, then continue.'
          : 'Continue when you are ready.',
        audience: 'user',
      },
    },
  ];
  const messages = calls.map((call) => ({ id: newId(), message: resultMessage(call) }));
  recorder.input({ turn: turnId, payloads, messages, whole: true });
  const { at, text } = recorder.storing(false);
  store.events.append(summary.id, turnId, payloads, messages, { at, tape: text });
  store.sessions.update(summary.id, { activity: 'interrupted', lastFact: 'interrupted: Lathe was closed' });
  return true;
}
