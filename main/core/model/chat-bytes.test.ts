import { expect, test } from 'vitest';
import { chatBytes } from './chat-bytes';
import { chatBody, type Dialect } from './chat-request';
import type { ModelMessage } from './port';

const DIALECT: Dialect = {
  usage: true,
  toolChoice: true,
  parallel: true,
  maxTokensField: 'max_tokens',
  reasoningField: null,
};
const HISTORY: ModelMessage[] = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'Grüße "quoted" \u2028 👩‍💻' },
  { role: 'assistant', content: '', calls: [{ id: 'c1', name: 'grep', arguments: '{"pattern":"x"}' }] },
  { role: 'tool', callId: 'c1', name: 'grep', content: 'a\tb\n' },
];
const body = (messages: ModelMessage[], dialect: Dialect = DIALECT) =>
  chatBody({ model: 'm', messages, tools: [], toolChoice: 'auto' }, dialect, 'p');

test('the bytes of a request are those of its JSON, the first time and every time after', () => {
  for (let round = 0; round < 3; round += 1) {
    const request = body(HISTORY.slice(0, 2 + round));
    expect(chatBytes(request).toString()).toBe(JSON.stringify(request));
  }
  const tool = { name: 'grep', description: 'Find "text".', parameters: { type: 'object', properties: {} } };
  for (const tools of [[tool], [tool, { ...tool, name: 'glob' }]]) {
    const request = chatBody({ model: 'm', messages: HISTORY, tools, toolChoice: 'auto' }, DIALECT, 'p');
    expect(chatBytes({ ...request, messages: request['messages'] }).toString()).toBe(JSON.stringify(request));
    expect(chatBytes({ unset: undefined, ...request }).toString()).toBe(JSON.stringify(request));
  }
  expect(chatBytes({ messages: [] }).toString()).toBe('{"messages":[]}');
  expect(chatBytes({ input: 'x' }).toString()).toBe('{"input":"x"}');
});

test('X8: a request begins with the bytes of the one before', () => {
  const before = chatBytes(body(HISTORY.slice(0, 2)));
  const after = chatBytes(body(HISTORY));
  expect(after.subarray(0, before.length - 2).equals(before.subarray(0, -2))).toBe(true);
});

test('another dialect or provider gets its own form of a message', () => {
  const message: ModelMessage = {
    role: 'assistant',
    content: '',
    reasoning: 'hm',
    calls: [{ id: 'c1', name: 'grep', arguments: '{}' }],
    opaque: { provider: 'q', data: { extra: 'kept' } },
  };
  const history: ModelMessage[] = [{ role: 'user', content: 'go' }, message];
  const plain = chatBytes(body(history)).toString();
  const thinking = chatBytes(body(history, { ...DIALECT, reasoningField: 'reasoning_content' })).toString();
  const request = { model: 'm', messages: history, tools: [], toolChoice: 'auto' as const };
  const other = chatBytes(chatBody(request, DIALECT, 'q')).toString();
  expect(plain).not.toContain('reasoning_content');
  expect(thinking).toContain('"reasoning_content":"hm"');
  expect(other).toContain('"extra_content":"kept"');
  expect(chatBytes(body(history)).toString()).toBe(plain);
});
