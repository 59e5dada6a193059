import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ModelMessage } from '../../model/port';
import type { ContextEntry } from '../entry';
import { sanitiseEntries } from '../sanitise';
import { planCut, tierFor } from './plan-cut';

const entries = (messages: ModelMessage[]): ContextEntry[] =>
  messages.map((message, at) => ({ id: `m${at}`, message }));
const user = (content = 'u'): ModelMessage => ({ role: 'user', content });
const answer = (content = 'a'): ModelMessage => ({ role: 'assistant', content });
const asks = (...ids: string[]): ModelMessage => ({
  role: 'assistant',
  content: '',
  calls: ids.map((id) => ({ id, name: 'grep', arguments: '{}' })),
});
const result = (callId: string): ModelMessage => ({ role: 'tool', callId, name: 'grep', content: 'r' });

test('X2, X3: tiers by size, and the middle one only for a session of ten messages', () => {
  expect(tierFor(64, 100, 50)).toBeNull();
  expect(tierFor(65, 100, 9)).toBeNull();
  expect(tierFor(65, 100, 10)).toBe('between_turns');
  expect(tierFor(85, 100, 2)).toBe('full');
});

test('fault-F85: a cut between parallel calls and their results moves to the turn boundary', () => {
  const list = entries([
    ...[user(), asks('a', 'b', 'c'), result('a'), result('b'), result('c'), answer()],
    ...[user(), asks('d', 'e', 'f'), result('d'), result('e'), result('f'), answer('last')],
  ]);
  expect(planCut(list, 0, 'full')).toBe(6);
  expect(planCut(list, 0, 'between_turns')).toBe(6);
});

test('case-K04: a step longer than what is kept stays whole', () => {
  const ids = Array.from({ length: 12 }, (_, n) => `c${n}`);
  const list = entries([user(), answer(), user(), asks(...ids), ...ids.map(result)]);
  expect(planCut(list, 0, 'full')).toBe(2);
});

test('nothing new, nothing to cut', () => {
  const list = entries([user(), answer()]);
  expect(planCut(list, 0, 'full')).toBeNull();
  expect(planCut(entries([user(), answer(), user(), answer()]), 2, 'full')).toBeNull();
  expect(planCut(entries(Array.from({ length: 8 }, () => user())), 2, 'full', false)).toBeNull();
});

const steps = fc.array(
  fc.oneof(fc.constant<'user'>('user'), fc.constant<'answer'>('answer'), fc.integer({ min: 1, max: 5 })),
  { minLength: 1, maxLength: 40 },
);

function build(plan: ('user' | 'answer' | number)[]): ContextEntry[] {
  let id = 0;
  return entries(
    plan.flatMap((step) => {
      if (step === 'user') return [user()];
      if (step === 'answer') return [answer()];
      const ids = Array.from({ length: step }, () => `c${(id += 1)}`);
      return [asks(...ids), ...ids.map(result)];
    }),
  );
}

test('fault-F84, F85: whatever the history, both sides of a cut are whole', () => {
  fc.assert(
    fc.property(steps, fc.constantFrom<'full' | 'between_turns'>('full', 'between_turns'), (plan, tier) => {
      const list = build(plan);
      const cut = planCut(list, 0, tier);
      fc.pre(cut !== null);
      expect(cut).toBeGreaterThan(0);
      expect(list.length - cut).toBeGreaterThanOrEqual(2);
      for (const side of [list.slice(0, cut), list.slice(cut)]) {
        expect(sanitiseEntries(side)).toEqual(side);
      }
    }),
    { numRuns: 300 },
  );
});
