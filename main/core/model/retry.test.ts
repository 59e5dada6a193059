import { expect, onTestFinished, test, vi } from 'vitest';
import { withinTick } from '../testing/within-tick';
import type { Clock } from './clock';
import { ModelError } from './model-error';
import type { ModelProvider, ModelReply, ModelRequest, ModelStreamEvent, ReplyCall } from './port';
import { withRetries, type RetryPolicy } from './retry';

const request: ModelRequest = { model: 'm', messages: [], tools: [], toolChoice: 'auto' };
const reply = (calls: ReplyCall[] = []): ModelReply => ({
  text: 'ok',
  reasoning: '',
  calls,
  finish: 'stop',
  usage: null,
});

type Step = { events?: ModelStreamEvent[]; end: ModelReply | ModelError };

/** A provider that plays steps, and the number of requests it got. */
function provider(...steps: Step[]): ModelProvider & { requests: number } {
  return {
    id: 'p',
    name: 'P',
    scripted: false,
    requests: 0,
    async *stream() {
      const step = steps[this.requests] ?? steps.at(-1);
      this.requests += 1;
      yield* step?.events ?? [];
      if (step === undefined) throw new Error('no step');
      if (step.end instanceof ModelError) throw step.end;
      return step.end;
    },
  };
}

/** A clock whose waits pass at once and are written down. */
function fakeClock(): Clock & { waits: number[] } {
  let now = 0;
  const waits: number[] = [];
  return {
    waits,
    now: () => now,
    sleep: async (ms) => {
      waits.push(ms);
      now += ms;
    },
  };
}

async function run(
  inner: ModelProvider,
  policy: Partial<RetryPolicy> = {},
): Promise<{ events: ModelStreamEvent[]; reply: ModelReply | null; error: ModelError | null }> {
  const events: ModelStreamEvent[] = [];
  const stream = withRetries(inner, { random: () => 0.5, ...policy }).stream(request, {
    signal: new AbortController().signal,
  });
  try {
    for (;;) {
      const step = await stream.next();
      if (step.done === true) return { events, reply: step.value, error: null };
      events.push(step.value);
    }
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return { events, reply: null, error };
  }
}

const busy = (options: ConstructorParameters<typeof ModelError>[2] = {}): ModelError =>
  new ModelError('provider_overloaded', 'busy', { retry: { limit: 5 }, ...options });

test('fault-F28: three overloads then an answer give three visible waits and one reply', async () => {
  const clock = fakeClock();
  const inner = provider({ end: busy() }, { end: busy() }, { end: busy() }, { end: reply() });
  const result = await run(inner, { clock });
  expect(result.reply).toEqual(reply());
  expect(clock.waits).toEqual([1000, 2000, 4000]);
  expect(result.events).toMatchObject([
    {
      type: 'retry',
      attempt: 1,
      maxAttempts: 5,
      waitMs: 1000,
      reason: 'busy',
      error: { code: 'provider_overloaded' },
    },
    { type: 'retry', attempt: 2, waitMs: 2000 },
    { type: 'retry', attempt: 3, waitMs: 4000 },
  ]);
});

test('waits double up to 16 s with jitter, and the sixth failure is final', async () => {
  const clock = fakeClock();
  const inner = provider({ end: busy() });
  const { error } = await run(inner, { clock, random: () => 0 });
  expect(error?.code).toBe('provider_overloaded');
  expect(clock.waits).toEqual([500, 1000, 2000, 4000, 8000]);
  expect(inner.requests).toBe(6);
});

test('fault-F27: a wait that the server asks for is kept to', async () => {
  const clock = fakeClock();
  await run(provider({ end: busy({ retry: { limit: 5, waitMs: 7000 } }) }, { end: reply() }), { clock });
  expect(clock.waits).toEqual([7000]);
});

test('no try begins after the whole budget', async () => {
  const clock = fakeClock();
  const inner = provider({ end: busy({ retry: { limit: 5, waitMs: 250_000 } }) });
  const { error } = await run(inner, { clock });
  expect(error?.code).toBe('provider_overloaded');
  expect(clock.waits).toEqual([250_000, 250_000]);
});

test('fault-F26, F31, F48: what trying again can not help is asked once', async () => {
  for (const code of ['provider_quota', 'provider_auth', 'provider_filtered', 'provider_context'] as const) {
    const inner = provider({ end: new ModelError(code, 'no') });
    expect((await run(inner)).error?.code).toBe(code);
    expect(inner.requests).toBe(1);
  }
});

test('fault-F12, F30, F51: each kind of failure has its own number of tries', async () => {
  for (const limit of [1, 2]) {
    const inner = provider({ end: new ModelError('provider_empty', 'nothing', { retry: { limit } }) });
    expect((await run(inner, { clock: fakeClock() })).error?.code).toBe('provider_empty');
    expect(inner.requests).toBe(limit + 1);
  }
});

test('fault-F17, F22b: after partial text nothing is asked again and the text is kept', async () => {
  const inner = provider({ events: [{ type: 'text', text: 'Half' }], end: busy() });
  const { error, events } = await run(inner);
  expect(error?.partial).toEqual({ text: 'Half', reasoning: '' });
  expect(events).toEqual([{ type: 'text', text: 'Half' }]);
  expect(inner.requests).toBe(1);
});

test('fault-F13, F22c: a break inside a call starts the reply over', async () => {
  const broken = { events: [{ type: 'text', text: 'I write' } as const], end: busy({ insideCall: true }) };
  const { events, reply: got } = await run(provider(broken, { end: reply() }), { clock: fakeClock() });
  expect(events.map(({ type }) => type)).toEqual(['text', 'reset', 'retry']);
  expect(got).toEqual(reply());
});

test('reasoning alone may be asked for anew', async () => {
  const step = { events: [{ type: 'reasoning', text: 'hm' } as const], end: busy() };
  const { events } = await run(provider(step, { end: reply() }), { clock: fakeClock() });
  expect(events.map(({ type }) => type)).toEqual(['reasoning', 'reset', 'retry']);
});

test('fault-F14: cut arguments are asked for once more, then handed on', async () => {
  const cut: ReplyCall = {
    id: 'a',
    name: 'w',
    raw: '{"a',
    args: { ok: false, reason: 'truncated', message: 'cut' },
  };
  const inner = provider({ end: reply([cut]) });
  const { reply: got } = await run(inner, { clock: fakeClock() });
  expect(inner.requests).toBe(2);
  expect(got?.calls).toEqual([cut]);
});

test('fault-F33: a stop during a wait ends it at once and nothing more is sent', async () => {
  const inner = provider({ end: busy() });
  const stop = new AbortController();
  const stream = withRetries(inner, { baseMs: 60_000 }).stream(request, { signal: stop.signal });
  expect((await stream.next()).value).toMatchObject({ type: 'retry' });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const rest = stream.next();
  expect(vi.getTimerCount()).toBe(1);
  stop.abort();
  await expect(withinTick(rest)).rejects.toMatchObject({ code: 'cancelled' });
  expect(vi.getTimerCount()).toBe(0);
  expect(inner.requests).toBe(1);
});
