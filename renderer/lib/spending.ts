import { MICROS } from '../../shared/model/budget';
import type { SessionSummary } from '../../shared/model/session';

/** What a session and its subagents have spent, and may. */
export interface Spending {
  /** Id of the session whose budget counts: a subagent's is that of the one that started it. */
  rootId: string;
  ownMicros: number;
  /** Subagents of the root, and of a subagent's session all of its family but itself. */
  othersMicros: number;
  tokens: number;
  /** Null: no limit. */
  limitMicros: number | null;
  limitTokens: number | null;
  /** The root has a budget of its own, other than the settings say. */
  isOwnBudget: boolean;
}

type Known = ReadonlyMap<string, SessionSummary>;

/**
 * @param liveMicros what the session's events tell, which may be ahead of its summary
 * @param usual the settings: dollars and tokens, 0 for no limit
 * @returns null for an unknown session
 */
export function familySpending(
  known: Known,
  id: string,
  liveMicros: number | null,
  usual: { usd: number; tokens: number },
): Spending | null {
  const session = known.get(id);
  if (!session) return null;
  const root = (session.parentId === null ? undefined : known.get(session.parentId)) ?? session;
  const family = [...known.values()].filter((each) => each.id === root.id || each.parentId === root.id);
  const sum = (pick: (each: SessionSummary) => number): number =>
    family.reduce((n, each) => n + pick(each), 0);
  const limit = (value: number): number | null => (value > 0 ? value : null);
  return {
    rootId: root.id,
    ownMicros: Math.max(session.costMicros, liveMicros ?? 0),
    othersMicros: sum((each) => (each.id === id ? 0 : each.costMicros)),
    tokens: sum((each) => each.spentTokens),
    limitMicros: limit(root.budgetMicros ?? Math.round(usual.usd * MICROS)),
    limitTokens: limit(root.budgetTokens ?? usual.tokens),
    isOwnBudget: root.budgetMicros !== null || root.budgetTokens !== null,
  };
}
