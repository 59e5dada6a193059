import type { PendingQuestion, QuestionPort } from '../tool/question-port';

interface Waiting {
  question: PendingQuestion;
  settle: (answer: string | null) => void;
}

/** Questions of the ask_user tool that wait for a person. The first answer counts. */
export class QuestionBoard implements QuestionPort {
  private readonly waiting = new Map<string, Waiting>();

  constructor(
    private readonly timeoutMs: () => number,
    /** False where nobody can answer (command line without a terminal): questions are then answered with null at once. */
    private readonly attended: boolean,
  ) {}

  ask(question: PendingQuestion, signal: AbortSignal): Promise<string | null> {
    if (!this.attended || signal.aborted) return Promise.resolve(null);
    return new Promise((resolve) => {
      const settle = (answer: string | null): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', stop);
        this.waiting.delete(question.questionId);
        resolve(answer);
      };
      const stop = (): void => settle(null);
      const timer = setTimeout(stop, this.timeoutMs());
      signal.addEventListener('abort', stop, { once: true });
      this.waiting.set(question.questionId, { question, settle });
    });
  }

  /** False when there is no such question (any more). */
  reply(id: string, answer: string): boolean {
    const waiting = this.waiting.get(id);
    waiting?.settle(answer);
    return waiting !== undefined;
  }

  pending(): PendingQuestion[] {
    return [...this.waiting.values()].map(({ question }) => question);
  }
}
