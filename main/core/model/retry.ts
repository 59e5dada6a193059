import { systemClock, type Clock } from './clock';
import { cancelledError, ModelError } from './model-error';
import type { ModelProvider, ModelReply, ModelRequest, ModelStreamEvent } from './port';

export interface RetryPolicy {
  /** Tries after the first one. */
  maxRetries: number;
  /** First wait; each further one is twice as long. */
  baseMs: number;
  /** No try begins later than this after the first one began. */
  budgetMs: number;
  clock: Clock;
  /** 0 ≤ r < 1; waits are multiplied by 0.5 + r. */
  random: () => number;
}

/** Faults.md §1.5, rule 3: 1, 2, 4, 8, 16 s, each × 0.5–1.5, within ten minutes. */
export const DEFAULT_RETRY_POLICY: RetryPolicy = {
  maxRetries: 5,
  baseMs: 1000,
  budgetMs: 10 * 60_000,
  clock: systemClock,
  random: Math.random,
};

/**
 * Wraps a provider so that faults that pass are tried again. Each wait is yielded as `retry` before it begins and ends
 * at once when the signal fires. Text that the user has read is never replaced behind their back: after partial text
 * the failure is thrown with the text in `partial`. What may be asked for anew in spite of shown output – reasoning
 * alone, or a reply that broke inside a tool call – is announced with `reset`.
 */
export function withRetries(provider: ModelProvider, policy: Partial<RetryPolicy> = {}): ModelProvider {
  const full = { ...DEFAULT_RETRY_POLICY, ...policy };
  return {
    id: provider.id,
    name: provider.name,
    scripted: provider.scripted,
    ...(provider.local === undefined ? {} : { local: provider.local }),
    stream: (request, options) => streamWithRetries(provider, request, options.signal, full),
  };
}

async function* streamWithRetries(
  provider: ModelProvider,
  request: ModelRequest,
  signal: AbortSignal,
  policy: RetryPolicy,
): AsyncGenerator<ModelStreamEvent, ModelReply> {
  const startedAt = policy.clock.now();
  const tries = new Map<string, number>();
  for (let attempt = 1; ; attempt += 1) {
    const seen = { text: '', reasoning: '' };
    let failure: ModelError;
    try {
      const reply = yield* watch(provider.stream(request, { signal }), seen);
      // Cut arguments are asked for once more; the second time the model is told (fault-F14).
      const cut = cutCall(reply);
      if (cut === null || (tries.get('cut') ?? 0) > 0) return reply;
      tries.set('cut', 1);
      failure = cut;
    } catch (error) {
      if (signal.aborted) throw stopped(error, seen);
      failure = worthRetrying(error, seen, tries);
    }
    const waitMs = nextWait(failure, attempt, policy);
    if (attempt > policy.maxRetries || policy.clock.now() - startedAt + waitMs > policy.budgetMs)
      throw failure;
    if (seen.text !== '' || seen.reasoning !== '') yield { type: 'reset' };
    yield retryEvent(failure, attempt, waitMs, policy);
    await policy.clock.sleep(waitMs, signal).catch((error: unknown) => {
      throw signal.aborted ? cancelledError() : error;
    });
  }
}

type Seen = { text: string; reasoning: string };

async function* watch(
  stream: AsyncGenerator<ModelStreamEvent, ModelReply>,
  seen: Seen,
): AsyncGenerator<ModelStreamEvent, ModelReply> {
  let finished = false;
  try {
    for (;;) {
      const step = await stream.next();
      if (step.done === true) {
        finished = true;
        return step.value;
      }
      note(step.value, seen);
      yield step.value;
    }
  } finally {
    if (!finished) await stream.return(undefined as never);
  }
}

function note(event: ModelStreamEvent, seen: Seen): void {
  if (event.type === 'text') seen.text += event.text;
  else if (event.type === 'reasoning') seen.reasoning += event.text;
  else if (event.type === 'reset') Object.assign(seen, { text: '', reasoning: '' });
}

function stopped(error: unknown, seen: Seen): ModelError {
  const partial = partialOf(seen);
  return error instanceof ModelError && error.code === 'cancelled'
    ? error.with({ partial })
    : cancelledError(partial);
}

const partialOf = (seen: Seen): Seen | null =>
  seen.text === '' && seen.reasoning === '' ? null : { ...seen };

/** The failure if its like may be tried again now; throws it otherwise. */
function worthRetrying(error: unknown, seen: Seen, tries: Map<string, number>): ModelError {
  if (!(error instanceof ModelError)) throw error;
  const failure = error.with({ partial: partialOf(seen) });
  const shown = seen.text.trim() !== '' && !failure.insideCall;
  const used = tries.get(failure.code) ?? 0;
  if (failure.retry === null || used >= failure.retry.limit || shown) throw failure;
  tries.set(failure.code, used + 1);
  return failure;
}

function cutCall(reply: ModelReply): ModelError | null {
  const cut = reply.calls.find(({ args }) => !args.ok && args.reason === 'truncated');
  if (cut === undefined) return null;
  return new ModelError('provider_protocol', `The arguments of ${cut.name || 'a call'} arrived cut off.`, {
    retry: { limit: 1 },
  });
}

function nextWait(failure: ModelError, attempt: number, policy: RetryPolicy): number {
  const asked = failure.retry?.waitMs;
  if (asked !== undefined) return asked;
  return Math.round(policy.baseMs * 2 ** Math.min(attempt - 1, 4) * (0.5 + policy.random()));
}

function retryEvent(
  failure: ModelError,
  attempt: number,
  waitMs: number,
  policy: RetryPolicy,
): ModelStreamEvent {
  const limit = Math.min(policy.maxRetries, attempt - 1 + (failure.retry?.limit ?? 1));
  return {
    type: 'retry',
    attempt,
    maxAttempts: Math.max(attempt, limit),
    waitMs,
    reason: failure.message,
    error: failure.toShape(),
  };
}
