import { expect, test } from 'vitest';
import { withinTick } from '../testing/within-tick';
import { systemClock, type Clock } from './clock';
import { ModelError } from './model-error';
import type { ModelReply, ModelRequest, ModelStreamEvent } from './port';
import { ScriptedProvider } from './scripted-provider';

const request: ModelRequest = {
  model: 'm',
  messages: [{ role: 'user', content: 'Hi' }],
  tools: [],
  toolChoice: 'auto',
};

async function run(
  provider: ScriptedProvider,
  signal = new AbortController().signal,
): Promise<[ModelStreamEvent[], ModelReply]> {
  const events: ModelStreamEvent[] = [];
  const stream = provider.stream(request, { signal });
  for (;;) {
    const step = await stream.next();
    if (step.done === true) return [events, step.value];
    events.push(step.value);
  }
}

test('replies play in order, word by word, and requests are kept', async () => {
  const provider = new ScriptedProvider({
    script: [
      { text: 'One two', calls: [{ tool: 'glob', args: { pattern: '*' } }] },
      ({ messages }) => `saw ${messages.length}`,
    ],
  });
  const [events, reply] = await run(provider);
  expect(events).toEqual([
    { type: 'text', text: 'One' },
    { type: 'text', text: ' two' },
  ]);
  expect(reply).toEqual({
    text: 'One two',
    reasoning: '',
    calls: [
      { id: 'call_1', name: 'glob', args: { ok: true, value: { pattern: '*' } }, raw: '{"pattern":"*"}' },
    ],
    finish: 'calls',
    usage: null,
  });
  expect((await run(provider))[1].text).toBe('saw 1');
  expect(provider.requests).toHaveLength(2);
  expect(provider.scripted).toBe(true);
});

test('a scripted error keeps what was said before it', async () => {
  const provider = new ScriptedProvider({
    script: [{ text: 'Half', error: { code: 'provider_overloaded', message: 'busy', audience: 'user' } }],
  });
  await expect(run(provider)).rejects.toMatchObject({
    code: 'provider_overloaded',
    partial: { text: 'Half' },
  });
});

test('a script that has run out says so', async () => {
  await expect(run(new ScriptedProvider({ script: [] }))).rejects.toThrow('no reply number 1');
});

test('a stop ends the pause between words at once', async () => {
  const stop = new AbortController();
  const pausing = Promise.withResolvers<void>();
  const sleep: Clock['sleep'] = (ms, signal) => {
    pausing.resolve();
    return systemClock.sleep(ms, signal);
  };
  const provider = new ScriptedProvider({
    script: ['One two'],
    delayMs: 60_000,
    clock: { now: systemClock.now, sleep },
  });
  const result = run(provider, stop.signal);
  await pausing.promise;
  stop.abort();
  await expect(withinTick(result)).rejects.toBeInstanceOf(ModelError);
});
