import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { given, png } from '../../../e2e/support/pictures';
import { actionsFor } from '../context/lens';
import { layOut, messagesOf, type LayOutInput } from '../context/lay-out';
import { InTurnCompaction } from '../context/in-turn-compaction';
import type { ContextEntry } from '../context/entry';
import { sanitiseEntries } from '../context/sanitise';
import { estimateMessageTokens } from '../context/tokens';
import type { ModelMessage } from '../model/port';
import { TurnMaker } from '../session-archive/turn-maker';
import { forModel } from './for-model';
import { imageTokens } from './image-tokens';

const image = given(png(600, 400));
const user = (content: string, ...images: (typeof image)[]): ModelMessage => ({
  role: 'user',
  content,
  images,
});
const note = (name: string): ModelMessage =>
  user(`<system-reminder>\nThe images that were read, in this order:\n\`${name}\`\n</system-reminder>`, {
    ...image,
  });

const entriesOf = (...messages: ModelMessage[]): ContextEntry[] =>
  messages.map((message, at) => ({ id: `m${at}`, message }));

const laid = (entries: ContextEntry[], rest: Partial<LayOutInput> = {}) =>
  layOut({ entries, compactions: [], marks: [], shrink: new InTurnCompaction(), ...rest });

test('tokens of an image: pixels by 750, between 85 and 1,600', () => {
  expect(imageTokens(image)).toBe(320);
  expect([png(10, 10), png(3000, 3000)].map((bytes) => imageTokens(given(bytes)))).toEqual([85, 1600]);
  expect(estimateMessageTokens(user('x', image)) - estimateMessageTokens(user('x'))).toBe(320);
});

test('the same message gives the same object with and without its images, so that prefixes stay', () => {
  const entries = entriesOf(user('sound', image), user('bad', given(Buffer.from('no image'))));
  const [first, second] = [sanitiseEntries(entries), sanitiseEntries(entries)];
  expect(first[0]?.message).toBe(entries[0]?.message);
  expect(first[1]?.message).toBe(second[1]?.message);
  expect(first[1]?.message).toEqual({ role: 'user', content: expect.stringContaining('no PNG') as string });
  const messages = messagesOf(laid(entries));
  expect(forModel(messages, false)[0]).toBe(forModel(messages, false)[0]);
  expect(forModel(messages, null)).toBe(messages);
});

test('X1: older images that a tool read give way when the window fills; those of the user and the newest stay', () => {
  const entries = entriesOf(user('mine', image), note('a.png'), note('b.png'));
  const shrink = new InTurnCompaction();
  const job = { entries, fixed: new Set<string>(), window: 100, measure: () => 1000 };
  expect(shrink.run(job)).toBe(1);
  const sent = laid(entries, { shrink }).items.map((item) => item.sent);
  expect(sent.map((message) => message?.role === 'user' && (message.images?.length ?? 0))).toEqual([1, 0, 1]);
  expect(sent[1]?.content).toMatch(/`a\.png`[\s\S]*taken out to save context/);
  expect(new InTurnCompaction().run({ ...job, fixed: new Set(['m1']) })).toBe(0);
});

test('the context lens can shorten a message by its images, pin it and take it out', () => {
  const entries = entriesOf(user('look', image));
  const [whole] = laid(entries).items;
  expect(whole && actionsFor(whole, false)).toEqual(['pin', 'collapse', 'evict']);
  const [short] = laid(entries, { marks: [['m0', 'short']] }).items;
  expect(short).toMatchObject({
    state: 'shrunk',
    sent: { content: expect.stringMatching(/^look\n\(Left out/) as string },
  });
  expect(laid(entries, { marks: [['m0', 'evicted']] }).items[0]?.sent).toBeNull();
});

test('a session made from messages shows their images; those that a tool read begin no turn', () => {
  const maker = new TurnMaker({ newId: () => randomUUID(), mode: 'agent', agent: 'x' });
  const add = (message: ModelMessage) => maker.add({ message, at: 1 }).events.map(({ payload }) => payload);
  expect(add(user('look', { ...image }))).toMatchObject([
    { type: 'turn.started', text: 'look', images: [{ mime: 'image/png', width: 600, height: 400 }] },
  ]);
  expect(add(note('a.png'))).toEqual([]);
  expect(add(user('', { ...image })).at(-1)).toMatchObject({ type: 'turn.started', kind: 'message' });
  expect(add(user('bad', given(Buffer.from('no image')))).at(-1)).not.toHaveProperty('images');
});
