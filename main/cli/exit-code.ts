import type { ErrorCode } from '../../shared/error';
import type { TurnEndReason } from '../../shared/model/turn-event';

/** Exit codes of the command line; scripts depend on them. */
export const EXIT = { finished: 0, failed: 1, usage: 2, guarded: 3, interrupted: 130 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** How a finished turn ends the process. */
export function exitCodeOf(reason: TurnEndReason): ExitCode {
  switch (reason) {
    case 'done':
      return EXIT.finished;
    case 'error':
      return EXIT.failed;
    case 'stopped':
      return EXIT.interrupted;
    case 'step_limit':
    case 'repeated_calls':
    case 'budget':
      return EXIT.guarded;
  }
}

/** Failures that the caller can put right by calling differently; everything else has failed by itself. */
const USAGE_CODES: ReadonlySet<ErrorCode> = new Set([
  'bad_argument',
  'not_found',
  'unsupported',
  'no_project',
  'folder_missing',
  'folder_unreadable',
]);

export const exitCodeOfFailure = (code: ErrorCode): ExitCode =>
  USAGE_CODES.has(code) ? EXIT.usage : EXIT.failed;
