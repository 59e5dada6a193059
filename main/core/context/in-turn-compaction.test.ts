import { expect, test } from 'vitest';
import type { ModelMessage } from '../model/port';
import { InTurnCompaction } from './in-turn-compaction';

function history(results: number, chars: number): ModelMessage[] {
  const messages: ModelMessage[] = [{ role: 'user', content: 'never touch db/' }];
  for (let i = 0; i < results; i += 1) {
    const id = `c${i}`;
    messages.push({
      role: 'assistant',
      content: '',
      calls: [{ id, name: 'read_file', arguments: `{"path":"${i}"}` }],
    });
    messages.push({ role: 'tool', callId: id, name: 'read_file', content: 'x'.repeat(chars) });
  }
  return messages;
}

test('shrinks only older results, keeps the newest six and every word of the user', () => {
  const compaction = new InTurnCompaction();
  const messages = history(20, 8_000);
  const result = compaction.run(messages, [], 50_000);
  expect(result.afterTokens).toBeLessThan(25_000);
  expect(result.messages[0]).toEqual(messages[0]);
  const tools = result.messages.filter((message) => message.role === 'tool');
  expect(tools.slice(-6).every((message) => message.content.length === 8_000)).toBe(true);
  expect(tools.slice(0, -6).every((message) => message.content.length < 2_200)).toBe(true);
});

test('what was shrunk stays shrunk the same way, so a later request shares its prefix', () => {
  const compaction = new InTurnCompaction();
  const messages = history(20, 8_000);
  const first = compaction.run(messages, [], 50_000).messages;
  const longer = [
    ...messages,
    ...history(1, 100)
      .slice(1)
      .map((m) => (m.role === 'tool' ? { ...m, callId: 'z' } : m)),
  ];
  expect(compaction.apply(longer).slice(0, first.length)).toEqual(first);
});

test('an older read that was made again is dropped first', () => {
  const compaction = new InTurnCompaction();
  const messages = history(10, 3_000);
  const again = { id: 'again', name: 'read_file', arguments: '{"path":"0"}' };
  messages.push({ role: 'assistant', content: '', calls: [again] });
  messages.push({ role: 'tool', callId: 'again', name: 'read_file', content: 'x'.repeat(3_000) });
  const result = compaction.run(messages, [], 11_000);
  const first = result.messages.find((message) => message.role === 'tool' && message.callId === 'c0');
  expect(first?.content).toContain('made again below');
});
