import { expect, test } from 'vitest';
import type { Client } from '../../../shared/contract/contract';
import { AppError, type ErrorCode } from '../../../shared/error';
import type { SessionId } from '../../../shared/model/ids';
import { sendMessage } from './send-message';

const id = 's1' as SessionId;

const said = (text: string) => ({ text, images: [] });

type Way = 'start' | 'interject' | 'queue' | 'stop';

/** A host that refuses some requests, each as often as it has codes for it. */
function createHost(refuse: Partial<Record<Way, ErrorCode[]>> = {}) {
  const calls: [name: string, input: unknown][] = [];
  const answer = (name: Way) => async (input: unknown) => {
    calls.push([name, input]);
    const code = refuse[name]?.shift();
    if (code) throw new AppError(code, 'Refused');
    return null;
  };
  const files = { find: async () => ['src/a.ts', 'src/a.test.ts'] };
  const turn = {
    start: answer('start'),
    interject: answer('interject'),
    queue: answer('queue'),
    stop: answer('stop'),
  };
  return {
    calls,
    names: () => calls.map(([name]) => name),
    client: { turn, files } as unknown as Client,
  };
}

test('a message starts a turn with the mentions that are files', async () => {
  const host = createHost();
  await sendMessage(host.client, id, said('See @src/a.ts and @no/such.ts'), false);
  expect(host.calls).toEqual([
    ['start', { sessionId: id, text: 'See @src/a.ts and @no/such.ts', mentions: ['src/a.ts'] }],
  ]);
});

test('while a turn runs the message goes to it; one that just ended is followed by a new turn', async () => {
  const host = createHost({ interject: ['bad_argument'] });
  await sendMessage(host.client, id, said('Also this'), true);
  expect(host.names()).toEqual(['interject', 'start']);
});

test('a turn that began meanwhile gets the message', async () => {
  const host = createHost({ start: ['busy'] });
  await sendMessage(host.client, id, said('Hello'), false);
  expect(host.names()).toEqual(['start', 'interject']);
});

test('where another process runs the turn, that is what the user is told', async () => {
  const host = createHost({ start: ['busy'], interject: ['bad_argument'] });
  await expect(sendMessage(host.client, id, said('Me too'), false)).rejects.toMatchObject({ code: 'busy' });
});

test('any other refusal is told to the user', async () => {
  const host = createHost({ start: ['no_model'] });
  await expect(sendMessage(host.client, id, said('Hello'), false)).rejects.toMatchObject({
    code: 'no_model',
  });
});

test('a message may wait for the end of the turn; one that ended already is followed at once', async () => {
  const host = createHost();
  await sendMessage(host.client, id, said('See @src/a.ts'), true, 'queue');
  expect(host.calls).toEqual([['queue', { sessionId: id, text: 'See @src/a.ts', mentions: ['src/a.ts'] }]]);
  const late = createHost({ queue: ['bad_argument'] });
  await sendMessage(late.client, id, said('Hello'), true, 'queue');
  expect(late.names()).toEqual(['queue', 'start']);
  const early = createHost({ start: ['busy'] });
  await sendMessage(early.client, id, said('Hello'), false, 'queue');
  expect(early.names()).toEqual(['start', 'queue']);
});

test('a message may take the place of the turn; when another one began meanwhile it waits for that', async () => {
  const host = createHost();
  await sendMessage(host.client, id, said('Rather this'), true, 'stop');
  expect(host.names()).toEqual(['stop', 'start']);
  const met = createHost({ start: ['busy'] });
  await sendMessage(met.client, id, said('Rather this'), true, 'stop');
  expect(met.names()).toEqual(['stop', 'start', 'queue']);
});

test('images go with the message whichever way it takes', async () => {
  const images = [{ mime: 'image/png' as const, base64: 'AAAA', name: 'a.png' }];
  const host = createHost({ start: ['busy'], queue: ['bad_argument'] });
  await sendMessage(host.client, id, { text: '', images }, false);
  await sendMessage(host.client, id, { text: 'x', images }, true, 'queue');
  expect(host.calls).toEqual([
    ['start', { sessionId: id, text: '', images, mentions: [] }],
    ['interject', { sessionId: id, text: '', images }],
    ['queue', { sessionId: id, text: 'x', images, mentions: [] }],
    ['start', { sessionId: id, text: 'x', images, mentions: [] }],
  ]);
});
