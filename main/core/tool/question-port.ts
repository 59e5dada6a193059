import type { QuestionView } from '../../../shared/model/session-view';

export interface PendingQuestion extends QuestionView {
  sessionId: string;
  turnId: string;
}

/** Questions of `ask_user` on their way to people. */
export interface QuestionPort {
  /** Waits for an answer; null when `signal` fired or nobody can be asked. */
  ask(question: PendingQuestion, signal: AbortSignal): Promise<string | null>;
}
