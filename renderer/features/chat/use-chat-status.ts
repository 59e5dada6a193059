import { useEffect } from 'react';
import type { SessionSummary } from '../../../shared/model/session';
import type { SessionView } from '../../../shared/model/session-view';
import type { OpenSession } from '../../lib/session-store';
import { type ChatStatus, statusStore } from '../../lib/status-store';
import { shallowEqual } from '../../lib/store';
import { splitModel } from './model-options';

/** The model of the newest step that names one, as `provider/model`: what answered last. */
export function usedModel(view: SessionView): string | null {
  const step = view.items.findLast((item) => item.kind === 'step' && item.model !== undefined);
  return step?.kind === 'step' ? (step.model ?? null) : null;
}

/** What the status bar shows of a session. `fallback` is the default model. */
export function chatStatus(
  view: SessionView,
  summary: SessionSummary | null,
  fallback: string | null,
): ChatStatus {
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

const NO_SESSION: ChatStatus = {
  sessionId: null,
  title: '',
  mode: 'agent',
  running: false,
  step: 0,
  maxSteps: 0,
  startedAt: null,
  waiting: 0,
  contextTokens: null,
  tokensEstimated: false,
  contextWindow: null,
  totalTokens: 0,
  tools: 0,
  messages: 0,
  errors: 0,
  provider: null,
  model: null,
};

/** Keeps the chat's part of the status store equal to the session on screen. */
export function useChatStatus(session: OpenSession | null, fallback: string | null): void {
  useEffect(() => {
    if (!session) {
      statusStore.chat.set(NO_SESSION);
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
