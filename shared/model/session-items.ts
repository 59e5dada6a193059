import type { CallState } from './turn-event';
import {
  CALL_OUTPUT_TAIL_CHARS,
  type CallView,
  type ItemView,
  type LiveTurnView,
  type SessionView,
  type StepView,
} from './session-view';

export function replaceLast<T>(list: readonly T[], found: (item: T) => boolean, change: (item: T) => T): T[] {
  for (let i = list.length - 1; i >= 0; i -= 1) {
    const item = list[i] as T;
    if (found(item)) {
      const next = list.slice();
      next[i] = change(item);
      return next;
    }
  }
  return list as T[];
}

export const changeStep = (
  view: SessionView,
  messageId: string,
  change: (step: StepView) => StepView,
): ItemView[] =>
  replaceLast(
    view.items,
    (item) => item.kind === 'step' && item.messageId === messageId,
    (item) => (item.kind === 'step' ? change(item) : item),
  );

export const changeCall = (
  view: SessionView,
  callId: string,
  change: (call: CallView) => CallView,
): ItemView[] =>
  replaceLast(
    view.items,
    (item) => item.kind === 'step' && item.calls.some((call) => call.callId === callId),
    (item) =>
      item.kind === 'step'
        ? { ...item, calls: item.calls.map((call) => (call.callId === callId ? change(call) : call)) }
        : item,
  );

export function appendTail(
  output: string,
  cut: boolean,
  chunk: string,
): { output: string; outputCut: boolean } {
  const joined = output + chunk;
  if (joined.length <= CALL_OUTPUT_TAIL_CHARS) return { output: joined, outputCut: cut };
  return { output: joined.slice(-CALL_OUTPUT_TAIL_CHARS), outputCut: true };
}

export const modelOf = (live: LiveTurnView | null): Pick<StepView, 'model' | 'modelReason'> =>
  live?.provider && live.model
    ? {
        model: `${live.provider}/${live.model}`,
        ...(live.reason === undefined ? {} : { modelReason: live.reason }),
      }
    : {};

export const withItem = (view: SessionView, item: ItemView): ItemView[] => [...view.items, item];

/** The event that made an item: keys are a letter and its seq. */
export const seqOfItem = (item: ItemView): number => Number(/\d+$/.exec(item.key)?.[0] ?? 0);

const finalStates: ReadonlySet<CallState> = new Set(['success', 'error', 'denied', 'cancelled']);

/** Closes what a finished or broken turn left open, so that no spinner outlives its turn. */
export function settleItems(items: readonly ItemView[], turnId: string): ItemView[] {
  return items.map((item) => {
    if (item.kind !== 'step' || item.turnId !== turnId) return item;
    const open = item.calls.some((call) => !finalStates.has(call.state));
    if (item.status !== 'streaming' && !open) return item;
    return {
      ...item,
      status: item.status === 'streaming' ? 'aborted' : item.status,
      calls: item.calls.map((call) =>
        finalStates.has(call.state) ? call : { ...call, state: 'cancelled' as const },
      ),
    };
  });
}
