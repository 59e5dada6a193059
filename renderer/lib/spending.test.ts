import { expect, test } from 'vitest';
import { SessionSummary } from '../../shared/model/session';
import { familySpending } from './spending';

const session = (id: string, change: Record<string, unknown> = {}): SessionSummary =>
  SessionSummary.parse({
    ...{ id, projectId: 'p', projectPath: '/p', title: id, mode: 'agent', model: null, activity: 'idle' },
    ...{ lastFact: '', messageCount: 1, createdAt: 1, updatedAt: 1, ...change },
  });
const known = new Map(
  [
    session('root', { costMicros: 100, spentTokens: 10 }),
    session('child', { parentId: 'root', costMicros: 30, spentTokens: 3 }),
    session('other', { costMicros: 999, spentTokens: 99 }),
  ].map((each) => [each.id, each]),
);

test('wanted-15: a session shows what it and its subagents spent, against one budget', () => {
  expect(familySpending(known, 'root', 120, { usd: 1, tokens: 0 })).toEqual({
    rootId: 'root',
    ownMicros: 120,
    othersMicros: 30,
    tokens: 13,
    limitMicros: 1_000_000,
    limitTokens: null,
    isOwnBudget: false,
  });
  expect(familySpending(known, 'child', null, { usd: 0, tokens: 50 })).toMatchObject({
    rootId: 'root',
    ownMicros: 30,
    othersMicros: 100,
    limitMicros: null,
    limitTokens: 50,
  });
  expect(familySpending(known, 'gone', null, { usd: 0, tokens: 0 })).toBeNull();
});

test('a session’s own budget comes before the setting; 0 is no limit', () => {
  const own = new Map([['a', session('a', { budgetMicros: 0, budgetTokens: 5 })]]);
  expect(familySpending(own, 'a', null, { usd: 1, tokens: 0 })).toMatchObject({
    limitMicros: null,
    limitTokens: 5,
    isOwnBudget: true,
  });
});
