import { AppError, type AppErrorOptions, type ErrorCode } from '../../../shared/error';
import type { ModelFailureFacts } from './port';

/** What the retry layer may do about a failure. */
export interface RetryAdvice {
  /** At most this many further tries for this kind of failure; the layer's own cap applies too. */
  limit: number;
  /** What the server asked for (Retry-After and its relatives), in milliseconds; absent = backoff. */
  waitMs?: number;
}

export interface ModelErrorOptions extends AppErrorOptions {
  partial?: ModelFailureFacts['partial'];
  learnedContextWindow?: number;
  retry?: RetryAdvice;
  /** True when the stream broke while a tool call was being written: its call is dropped and asked for anew. */
  insideCall?: boolean;
  /** The body of a refusal as the server sent it, for finding out what it is about; never shown, logged or stored. */
  refusalBody?: string;
}

/** A failed model request. `retry` is null when trying the same request again can't help. */
export class ModelError extends AppError implements ModelFailureFacts {
  readonly partial: ModelFailureFacts['partial'];
  readonly learnedContextWindow?: number;
  readonly retry: RetryAdvice | null;
  readonly insideCall: boolean;
  readonly refusalBody: string | null;
  private readonly options: ModelErrorOptions;

  constructor(code: ErrorCode, message: string, options: ModelErrorOptions = {}) {
    super(code, message, options);
    this.options = options;
    this.partial = options.partial ?? null;
    if (options.learnedContextWindow !== undefined) this.learnedContextWindow = options.learnedContextWindow;
    this.retry = options.retry ?? null;
    this.insideCall = options.insideCall ?? false;
    this.refusalBody = options.refusalBody ?? null;
  }

  /** The same failure with more facts: what had streamed before it, or other words. */
  with(changes: ModelErrorOptions & { message?: string }): ModelError {
    const { message, ...options } = changes;
    return new ModelError(this.code, message ?? this.message, { ...this.options, ...options });
  }
}

/** The failure a fired abort signal stands for; nothing for anybody to read. */
export function cancelledError(partial: ModelFailureFacts['partial'] = null): ModelError {
  return new ModelError('cancelled', 'The request to the model was stopped.', { audience: 'log', partial });
}
