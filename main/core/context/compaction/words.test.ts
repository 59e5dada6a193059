import { expect, test } from 'vitest';
import type { ContextEntry } from '../entry';
import { harvestConstraints } from './constraints';
import { degenerate } from './degenerate';
import { keptWords } from './kept-words';
import { localSummary } from './local-summary';
import { prefixHash } from './prefix-hash';
import { transcript } from './transcript';

const said = (...texts: string[]) => texts.map((text, at) => ({ messageId: `m${at}`, text }));

test('case-K10: sentences that forbid or demand are found word for word; questions and code are not', () => {
  const found = harvestConstraints(
    said(
      "Fix the parser. Never touch db/.\n- Don't rename exports!\n- only TypeScript, please",
      'Why does it always fail?\n```ts\n// never called\n```\n> always quoted\nUse Deno. Do not use npm.',
      'Bitte niemals die Tests löschen.',
    ),
    4_000,
  );
  expect(found).toEqual([
    'Never touch db/.',
    "Don't rename exports!",
    'only TypeScript, please',
    'Do not use npm.',
    'Bitte niemals die Tests löschen.',
  ]);
});

test('over the limit the weaker and older demands go first', () => {
  const texts = said('Only a.', 'Never b. Never c.', 'Never d.');
  expect(harvestConstraints(texts, 18)).toEqual(['Never c.', 'Never d.']);
});

test('the same demand is kept once', () => {
  expect(harvestConstraints(said('Never a.', 'Never a.'), 100)).toEqual(['Never a.']);
});

test('the last request is kept only when it is among what is replaced', () => {
  const facts = { replaced: said('Do it.'), todos: [], rules: '', windowTokens: 100_000 };
  expect(keptWords({ ...facts, lastRequestIsReplaced: true })).toContain('Do it.');
  expect(keptWords({ ...facts, lastRequestIsReplaced: false })).toBe('');
});

test('X3: short, repetitive and copied summaries are told from usable ones', () => {
  const input = Array.from({ length: 400 }, (_, n) => `line ${n} of the transcript says thing ${n * 7}`).join(
    '\n',
  );
  const fine = Array.from(
    { length: 60 },
    (_, n) => `fact${n} was found in file${n}.ts and changed by step${n}`,
  ).join('. ');
  expect(degenerate('ok', input)).toBe('short');
  expect(degenerate('The user wants a parser. '.repeat(60), input)).toBe('repetitive');
  expect(degenerate(input.slice(0, 3_000), input)).toBe('echo');
  expect(degenerate(fine, input)).toBeNull();
});

const entry = (message: ContextEntry['message'], id = 'x'): ContextEntry => ({ id, message });

test('case-K05: pictures are named in the transcript, never put into text', () => {
  const png = Buffer.alloc(40);
  png.write('\x89PNG\r\n\x1a\n', 'latin1');
  png.writeUInt32BE(800, 16);
  png.writeUInt32BE(600, 20);
  const image = { mime: 'image/png', base64: png.toString('base64') };
  const text = transcript([entry({ role: 'user', content: '', images: [image] })], {
    totalChars: 9_000,
    resultChars: 0,
  });
  expect(text).toContain('[image 800×600 image/png]');
  expect(text).not.toContain(image.base64);
});

test('fault-F106: a transcript fits its limit: results give way first, then the oldest messages', () => {
  const list = Array.from({ length: 30 }, (_, n) => [
    entry({ role: 'user', content: `question ${n}` }),
    entry({ role: 'assistant', content: '', calls: [{ id: `c${n}`, name: 'grep', arguments: '{}' }] }),
    entry({ role: 'tool', callId: `c${n}`, name: 'grep', content: 'r'.repeat(3_000) }),
  ]).flat();
  const wide = transcript(list, { totalChars: 200_000, resultChars: 1_500 });
  expect(wide).toContain('question 0');
  expect(wide).toContain('rrrr');
  const less = transcript(list, { totalChars: 8_000, resultChars: 1_500 });
  expect(less).toContain('question 0');
  expect(less).toContain('result of grep: 3000 characters');
  const least = transcript(list, { totalChars: 1_000, resultChars: 1_500 });
  expect(least.length).toBeLessThanOrEqual(1_000);
  expect(least).toContain('older messages left out');
  expect(least).toContain('question 29');
});

test('a summary without a model names what was asked, touched, run and what failed', () => {
  const call = (id: string, name: string, args: object) => ({ id, name, arguments: JSON.stringify(args) });
  const text = localSummary(
    [
      entry({ role: 'user', content: 'Fix the parser' }),
      entry({
        role: 'assistant',
        content: 'I look.',
        calls: [call('1', 'read_file', { path: 'a.ts' }), call('2', 'run_command', { command: 'npm test' })],
      }),
      entry({ role: 'tool', callId: '1', name: 'read_file', content: 'x' }),
      entry({ role: 'tool', callId: '2', name: 'run_command', content: 'Error: exit 1' }),
    ],
    'What came before.',
    10_000,
  );
  for (const part of [
    'What came before.',
    'Fix the parser',
    'a.ts (read_file)',
    'npm test',
    'run_command: Error: exit 1',
    'I look.',
  ])
    expect(text).toContain(part);
});

test('X4: the hash of a prefix depends on what the model sees of it and on nothing else', () => {
  const one = entry({ role: 'assistant', content: 'a', reasoning: 'r', calls: [] }, 'id1');
  const same = entry({ content: 'a', role: 'assistant' }, 'id2');
  const other = entry({ role: 'assistant', content: 'b' }, 'id1');
  expect(prefixHash([one], 1)).toBe(prefixHash([same], 1));
  expect(prefixHash([one], 1)).not.toBe(prefixHash([other], 1));
  expect(prefixHash([one, other], 1)).toBe(prefixHash([one], 1));
});
