import type { ToolEffect } from '../../tool/types';
import type { CallOutcome } from '../../tool/types';

/** One call of a finished step, as guards see it. */
export interface CallFacts {
  tool: string;
  args: unknown;
  /** Tool and arguments, see `fingerprint`. */
  fingerprint: string;
  /** Hash of what the model was given. */
  resultHash: string;
  effect: ToolEffect | null;
  state: CallOutcome['state'];
  /** A guard refused it: it never ran. */
  refused: boolean;
  /** Files it changed. */
  changedFiles: number;
  /** `detail.reason` of its error, '' without one. */
  errorReason: string;
}

/** One finished model step. */
export interface StepFacts {
  step: number;
  text: string;
  calls: readonly CallFacts[];
}

/** A hint to the model that the user can see. */
export interface Nudge {
  kind: string;
  /** For the chat: what the harness noticed. */
  notice: string;
  /** For the model: what to do about it. */
  reminder: string;
  tone?: 'warn';
}

/** Calls of the next step that are not run. */
export interface Refusal {
  refuses(call: { tool: string; fingerprint: string }): boolean;
  /** Result that the model gets for such a call. */
  reason: string;
}

export interface Verdict {
  nudge?: Nudge;
  refusal?: Refusal;
  /** Why the turn ends here, as a sentence for the user. */
  stop?: string;
}

/**
 * Watches a turn for one way of going wrong. Pure: what it knows of the turn is what it was shown, and the same steps give
 * the same verdicts.
 */
export interface Guard {
  /** Once after each step, in order; null while there is nothing to say. */
  observe(step: StepFacts): Verdict | null;
}

/** True for calls that neither explore nor change anything; they don't break a streak. */
export const isHousekeeping = (call: Pick<CallFacts, 'tool'>): boolean => call.tool === 'todo';
