import type { CallId, QuestionId } from '../../../shared/model/ids';
import type { EmitEvent } from '../tool/types';

export interface AskedQuestion {
  sessionId: string;
  callId: string;
  question: string;
  options: string[];
  signal: AbortSignal;
  emit: EmitEvent;
}

interface Pending {
  sessionId: string;
  settle: (answer: string | null) => void;
}

/** Questions of the ask_user tool that wait for a person. The first answer counts. */
export class QuestionBoard {
  private readonly waiting = new Map<string, Pending>();

  constructor(
    private readonly newId: () => string,
    private readonly timeoutMs: () => number,
    /** Without anybody to answer (command line without a terminal) questions are answered with null at once. */
    private readonly attended: () => boolean,
  ) {}

  /** Resolves to the answer, or null when nobody answered in time or the turn stopped. */
  async ask(asked: AskedQuestion): Promise<string | null> {
    if (!this.attended()) return null;
    const questionId = this.newId() as QuestionId;
    const callId = asked.callId as CallId;
    const { question, options, emit } = asked;
    const answered = this.wait(questionId, asked);
    await emit({ type: 'question.asked', questionId, callId, question, options });
    const answer = await answered;
    await emit({ type: 'question.answered', questionId, callId, answer });
    return answer;
  }

  /** False when there is no such question (any more). */
  reply(id: string, answer: string): boolean {
    const pending = this.waiting.get(id);
    pending?.settle(answer);
    return pending !== undefined;
  }

  pending(): { id: string; sessionId: string }[] {
    return [...this.waiting].map(([id, { sessionId }]) => ({ id, sessionId }));
  }

  private wait(id: string, asked: AskedQuestion): Promise<string | null> {
    return new Promise((resolve) => {
      const settle = (answer: string | null): void => {
        clearTimeout(timer);
        asked.signal.removeEventListener('abort', stop);
        this.waiting.delete(id);
        resolve(answer);
      };
      const stop = (): void => settle(null);
      const timer = setTimeout(stop, this.timeoutMs());
      asked.signal.addEventListener('abort', stop, { once: true });
      this.waiting.set(id, { sessionId: asked.sessionId, settle });
    });
  }
}
