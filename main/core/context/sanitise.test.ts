import { expect, test } from 'vitest';
import type { ModelMessage } from '../model/port';
import { INTERRUPTED_RESULT, sanitiseMessages } from './sanitise';
import { estimateMessageTokens } from './tokens';

const call = (id: string, name = 'read_file') => ({ id, name, arguments: '{}' });
const user = (content: string): ModelMessage => ({ role: 'user', content });
const result = (callId: string, content = 'ok'): ModelMessage => ({
  role: 'tool',
  callId,
  name: 'read_file',
  content,
});

test('a valid history comes out as it went in', () => {
  const history: ModelMessage[] = [
    { role: 'system', content: 's' },
    user('hi'),
    { role: 'assistant', content: '', calls: [call('a'), call('b')] },
    result('a'),
    result('b'),
    { role: 'assistant', content: 'done' },
  ];
  expect(sanitiseMessages(history)).toEqual(history);
});

test('fault-F83: a call without a result gets one that claims nothing about its effect', () => {
  const clean = sanitiseMessages([
    user('x'),
    { role: 'assistant', content: '', calls: [call('a')] },
    user('again'),
  ]);
  expect(clean.map((m) => m.role)).toEqual(['user', 'assistant', 'tool', 'user']);
  expect(clean[2]).toMatchObject({ callId: 'a', content: INTERRUPTED_RESULT });
});

test('fault-F84: a result whose call is gone is not sent', () => {
  expect(sanitiseMessages([user('x'), result('lost')])).toEqual([user('x')]);
});

test('fault-F66: an id used again is made unique and keeps its own result', () => {
  const clean = sanitiseMessages([
    { role: 'assistant', content: '', calls: [call('a')] },
    result('a', 'first'),
    { role: 'assistant', content: '', calls: [call('a')] },
    result('a', 'second'),
  ]);
  expect(clean.map((m) => (m.role === 'tool' ? [m.callId, m.content] : m.role))).toEqual([
    'assistant',
    ['a', 'first'],
    'assistant',
    ['a_2', 'second'],
  ]);
});

test('results of parallel calls come back in call order whatever order they were stored in', () => {
  const clean = sanitiseMessages([
    { role: 'assistant', content: '', calls: [call('a'), call('b')] },
    result('b', '2'),
    result('a', '1'),
  ]);
  expect(clean.slice(1)).toEqual([result('a', '1'), result('b', '2')]);
});

test('fault-F56 and F111: blank messages go, empty results are named, lone surrogates are mended', () => {
  const clean = sanitiseMessages([
    user('  \n'),
    { role: 'assistant', content: ' ' },
    { role: 'assistant', content: '', calls: [call('a')] },
    result('a', ''),
    user('bad \ud800 text'),
  ]);
  expect(clean).toEqual([
    { role: 'assistant', content: '', calls: [call('a')] },
    result('a', '(no output)'),
    user('bad \ufffd text'),
  ]);
});

test('a result that is only named anew is not counted again: an imported session may hold megabytes of them', () => {
  const imported = { ...result('a', 'some words of a result'), name: 'tool' };
  const tokens = estimateMessageTokens(imported);
  // Were it counted again, this would count.
  imported.content = 'many other words '.repeat(100);
  const sent = sanitiseMessages([
    user('x'),
    { role: 'assistant', content: '', calls: [call('a')] },
    imported,
  ])[2];
  expect(sent).toMatchObject({ callId: 'a', name: 'read_file' });
  expect(estimateMessageTokens(sent as ModelMessage)).toBe(tokens);
});
