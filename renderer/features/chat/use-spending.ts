import { useEffect } from 'react';
import type { OpenSession } from '../../lib/session-store';
import { useSetting } from '../../lib/settings-store';
import { familySpending, type Spending } from '../../lib/spending';
import { statusStore } from '../../lib/status-store';
import { shallowEqual, useStore } from '../../lib/store';
import { useChat } from './chat-context';

const sameSpending = (a: Spending | null, b: Spending | null): boolean =>
  a === b || (a !== null && b !== null && shallowEqual(a, b));

/** What the session and its subagents have spent, and may. */
export function useSpending(session: OpenSession): Spending | null {
  const { model } = useChat();
  const usd = useSetting('chat.budget.sessionUsd');
  const tokens = useSetting('chat.budget.sessionTokens');
  const live = useStore(session.state, ({ view }) => view.costMicros);
  return useStore(
    model.summaries,
    (known) => familySpending(known, session.id, live, { usd, tokens }),
    sameSpending,
  );
}

/** Tells the status bar of it. */
export function SpendingStatus({ session }: { session: OpenSession }) {
  const spending = useSpending(session);
  const spent = spending ? spending.ownMicros + spending.othersMicros : 0;
  const limit = spending?.limitMicros ?? null;
  useEffect(() => {
    statusStore.spending.set({ spentMicros: spent, limitMicros: limit });
    return () => statusStore.spending.set({ spentMicros: 0, limitMicros: null });
  }, [spent, limit]);
  return null;
}
