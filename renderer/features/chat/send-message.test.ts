import { expect, test } from 'vitest';
import type { Client } from '../../../shared/contract/contract';
import { AppError, type ErrorCode } from '../../../shared/error';
import type { SessionId } from '../../../shared/model/ids';
import { sendMessage } from './send-message';

const id = 's1' as SessionId;

function createHost(refuse: { start?: ErrorCode; interject?: ErrorCode } = {}) {
  const calls: [name: string, input: unknown][] = [];
  const answer = (name: 'start' | 'interject') => async (input: unknown) => {
    calls.push([name, input]);
    if (refuse[name]) throw new AppError(refuse[name], 'Refused');
    return null;
  };
  const files = { find: async () => ['src/a.ts', 'src/a.test.ts'] };
  return {
    calls,
    names: () => calls.map(([name]) => name),
    client: { turn: { start: answer('start'), interject: answer('interject') }, files } as unknown as Client,
  };
}

test('a message starts a turn with the mentions that are files', async () => {
  const host = createHost();
  await sendMessage(host.client, id, 'See @src/a.ts and @no/such.ts', false);
  expect(host.calls).toEqual([
    ['start', { sessionId: id, text: 'See @src/a.ts and @no/such.ts', mentions: ['src/a.ts'] }],
  ]);
});

test('while a turn runs the message goes to it; one that just ended is followed by a new turn', async () => {
  const host = createHost({ interject: 'bad_argument' });
  await sendMessage(host.client, id, 'Also this', true);
  expect(host.names()).toEqual(['interject', 'start']);
});

test('a turn that began meanwhile gets the message', async () => {
  const host = createHost({ start: 'busy' });
  await sendMessage(host.client, id, 'Hello', false);
  expect(host.names()).toEqual(['start', 'interject']);
});

test('any other refusal is told to the user', async () => {
  const host = createHost({ start: 'no_model' });
  await expect(sendMessage(host.client, id, 'Hello', false)).rejects.toMatchObject({ code: 'no_model' });
});
