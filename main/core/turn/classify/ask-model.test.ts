import { expect, test } from 'vitest';
import { ScriptedProvider, type Script } from '../../model/scripted-provider';
import { askModel, readAnswer } from './ask-model';

const FIELDS = {
  ...{ goalKind: 'code_change', isActionable: true, editScope: 'multi_file', complexity: 'complex' },
  ...{ needsShell: false, chatOnly: false, isFollowUp: false, expectsMultiStep: true, confidence: 0.9 },
};

const ask = (script: Script, options: { limitMs?: number; signal?: AbortSignal } = {}) => {
  const provider = new ScriptedProvider({ script });
  const model = { provider, model: 'cheap', contextWindow: 8_000, reason: '' };
  const { signal = new AbortController().signal, limitMs } = options;
  return askModel('sort this', 'before', model, { signal, ...(limitMs === undefined ? {} : { limitMs }) });
};

test('H14: an answer in the schema is taken, also in a fence', async () => {
  const asked = await ask(['```json\n' + JSON.stringify(FIELDS) + '\n```']);
  expect(asked.classification).toEqual({ ...FIELDS, needsFlagship: true });
});

test.each([
  'I think it is a code change.',
  '{"goalKind": "code_change"}',
  JSON.stringify({ ...FIELDS, goalKind: 'poem' }),
  JSON.stringify({ ...FIELDS, extra: 1 }),
  JSON.stringify({ ...FIELDS, confidence: 7 }),
  '{',
  '',
])('H14: anything else gives nothing (%#)', async (text) => {
  expect(readAnswer(text)).toBeNull();
  expect((await ask([text])).classification).toBeNull();
});

test('H14: a failing or slow model never fails the turn', async () => {
  const error = { code: 'provider_auth' as const, message: 'no', audience: 'user' as const };
  expect((await ask([{ error }])).classification).toBeNull();
  const slow = await ask([{ text: 'one two three four five', delayMs: 10_000 }], { limitMs: 20 });
  expect(slow.classification).toBeNull();
});

test('H14: Stop is not swallowed', async () => {
  const stopped = new AbortController();
  const asked = ask([{ text: 'one two three', delayMs: 10_000 }], { signal: stopped.signal });
  stopped.abort(new DOMException('stop', 'AbortError'));
  await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
});

test('H14: nothing is edited where nothing should change, whatever the model says', () => {
  expect(readAnswer(JSON.stringify({ ...FIELDS, goalKind: 'analysis' }))).toMatchObject({
    editScope: 'none',
  });
});
