import type { FlushFacts } from './context-port';
import type { ContextStore } from './records';
import type { RuleDesk } from './rules/rule-desk';
import { SessionContext } from './session-context';
import type { TokenCalibration } from './token-calibration';

export interface ContextDeskOptions {
  store: ContextStore;
  calibration: TokenCalibration;
  /** The rules of a session's project. */
  rules(sessionId: string): RuleDesk;
  flushFacts: FlushFacts;
  newId(): string;
  onError(what: string, error: unknown): void;
}

/** Contexts kept in memory; a dropped one is read from the store again. */
const MAX_CONTEXTS = 40;

/** Finds the context of a session; the same object as long as it is in use. */
export class ContextDesk {
  private readonly known = new Map<string, SessionContext>();
  private readonly listeners = new Set<(sessionId: string) => void>();

  constructor(private readonly options: ContextDeskOptions) {}

  of(sessionId: string): SessionContext {
    const found = this.known.get(sessionId) ?? this.make(sessionId);
    // The one used last goes last.
    this.known.delete(sessionId);
    this.known.set(sessionId, found);
    for (const id of this.known.keys()) {
      if (this.known.size <= MAX_CONTEXTS) break;
      this.known.delete(id);
    }
    return found;
  }

  /** The session is gone, or its project is closed. */
  forget(sessionId: string): void {
    this.known.delete(sessionId);
  }

  forgetAll(): void {
    this.known.clear();
  }

  onChange(listener: (sessionId: string) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Stores what was learnt about how models count. */
  flush(): void {
    try {
      this.options.calibration.flush();
    } catch (error) {
      this.options.onError('what was learnt about tokens could not be kept', error);
    }
  }

  private make(sessionId: string): SessionContext {
    const { rules, ...rest } = this.options;
    return new SessionContext({
      ...rest,
      sessionId,
      rules: rules(sessionId),
      onChange: () => {
        for (const listener of this.listeners) listener(sessionId);
      },
    });
  }
}
