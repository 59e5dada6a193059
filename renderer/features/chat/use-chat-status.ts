import { useEffect } from 'react';
import type { SessionSummary } from '../../../shared/model/session';
import type { SessionView } from '../../../shared/model/session-view';
import type { OpenSession } from '../../lib/session-store';
import { type ChatStatus, NO_CHAT_STATUS, statusStore } from '../../lib/status-store';
import { shallowEqual } from '../../lib/store';
import { splitModel } from '../../lib/model-name';

/** The model of the newest step that names one, as `provider/model`: what answered last. */
export function usedModel(view: SessionView): string | null {
  const step = view.items.findLast((item) => item.kind === 'step' && item.model !== undefined);
  return step?.kind === 'step' ? (step.model ?? null) : null;
}

/** Where in the input history the message box is goes to the status bar while that lasts. */
export function useHistoryStatus(place: string | null): void {
  useEffect(() => {
    statusStore.chat.update((old) => (old.history === place ? old : { ...old, history: place }));
    return () => statusStore.chat.update((old) => (old.history === null ? old : { ...old, history: null }));
  }, [place]);
}

/** What the status bar shows of a session. `fallback` is the default model. */
export function chatStatus(
  view: SessionView,
  summary: SessionSummary | null,
  fallback: string | null,
): Omit<ChatStatus, 'history'> {
  const chosen = summary?.model ?? fallback ?? usedModel(view);
  const named = chosen === null ? null : splitModel(chosen);
  return {
    sessionId: summary?.id ?? null,
    title: summary?.title ?? '',
    mode: view.live?.mode ?? summary?.mode ?? 'agent',
    running: view.live !== null,
    step: view.live?.step ?? 0,
    maxSteps: view.live?.maxSteps ?? 0,
    startedAt: view.live?.startedAt ?? null,
    waiting: view.approvals.length + view.questions.length,
    contextTokens: view.contextTokens,
    tokensEstimated: view.tokensEstimated,
    contextWindow: view.contextWindow,
    totalTokens: view.totalTokens,
    tools: view.toolCount,
    messages: summary?.messageCount ?? 0,
    errors: view.errorCount,
    provider: view.live?.provider ?? named?.provider ?? null,
    model: view.live?.model ?? named?.model ?? null,
  };
}

/** Keeps the chat's part of the status store equal to the session on screen. */
export function useChatStatus(session: OpenSession | null, fallback: string | null): void {
  useEffect(() => {
    if (!session) {
      statusStore.chat.update(({ history }) => ({ ...NO_CHAT_STATUS, history }));
      return undefined;
    }
    const write = (): void => {
      const { view, summary } = session.state.get();
      statusStore.chat.update((old) => {
        const next = { ...old, ...chatStatus(view, summary, fallback) };
        return shallowEqual(old, next) ? old : next;
      });
    };
    write();
    return session.state.subscribe(write);
  }, [session, fallback]);
}
