import { expect, test } from 'vitest';
import type { ModelMessage } from '../model/port';
import type { ContextEntry } from './entry';
import { InTurnCompaction } from './in-turn-compaction';
import { layOut, messagesOf } from './lay-out';
import { estimateRequestTokens } from './tokens';

let ids = 0;
const entry = (message: ModelMessage): ContextEntry => ({ id: `m${(ids += 1)}`, message });

function read(id: string, chars: number, path = id): ContextEntry[] {
  const call = { id, name: 'read_file', arguments: JSON.stringify({ path }) };
  return [
    entry({ role: 'assistant', content: '', calls: [call] }),
    entry({ role: 'tool', callId: id, name: 'read_file', content: 'x'.repeat(chars) }),
  ];
}

const history = (results: number, chars: number): ContextEntry[] => [
  entry({ role: 'user', content: 'never touch db/' }),
  ...Array.from({ length: results }, (_, n) => read(`c${n}`, chars)).flat(),
];

const sent = (entries: readonly ContextEntry[], shrink: InTurnCompaction): ModelMessage[] =>
  messagesOf(layOut({ entries, compactions: [], marks: [], shrink }));

function run(entries: readonly ContextEntry[], window: number, fixed: string[] = []) {
  const shrink = new InTurnCompaction();
  const measure = (): number => estimateRequestTokens(sent(entries, shrink), []);
  const count = shrink.run({ entries, window, fixed: new Set(fixed), measure });
  return { shrink, count, tokens: measure(), messages: sent(entries, shrink) };
}

const lengths = (messages: readonly ModelMessage[]): number[] =>
  messages.flatMap((message) => (message.role === 'tool' ? [message.content.length] : []));

test('X1: shrinks only older results, keeps the newest six and every word of the user', () => {
  const entries = history(20, 8_000);
  const { messages, tokens } = run(entries, 50_000);
  expect(tokens).toBeLessThan(25_000);
  expect(messages[0]).toEqual(entries[0]?.message);
  expect(lengths(messages).slice(-6)).toEqual(Array(6).fill(8_000));
  expect(
    lengths(messages)
      .slice(0, -6)
      .every((length) => length < 2_200),
  ).toBe(true);
});

test('X1: in a small window even newer results give way, but not the last two', () => {
  const { messages, tokens } = run(history(8, 8_000), 8_000);
  expect(tokens).toBeLessThan(8_000);
  expect(lengths(messages).slice(-2)).toEqual([8_000, 8_000]);
});

test('X8: what was shrunk stays shrunk the same way, so a later request shares its prefix', () => {
  const entries = history(20, 8_000);
  const { shrink, messages } = run(entries, 50_000);
  const longer = sent([...entries, ...read('z', 100)], shrink);
  expect(longer.slice(0, messages.length)).toEqual(messages);
  expect(longer.every((message, at) => at >= messages.length || message === messages[at])).toBe(true);
});

test('X1: an older read that was made again is dropped first', () => {
  const entries = [...history(10, 3_000), ...read('again', 3_000, 'c0')];
  const { messages } = run(entries, 11_000);
  const first = messages.find((message) => message.role === 'tool' && message.callId === 'c0');
  expect(first?.content).toContain('made again below');
});

test('items that the user decided about are left alone', () => {
  const entries = history(20, 8_000);
  const kept = entries[2]?.id ?? '';
  expect(lengths(run(entries, 50_000, [kept]).messages)[0]).toBe(8_000);
});
