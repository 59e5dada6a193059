import { AppError, toErrorShape, type ErrorShape } from '../../../shared/error';
import type { DecidedBy } from '../../../shared/model/approval';
import type { FileDiff } from '../../../shared/model/diff';
import type { CallResult } from '../../../shared/model/turn-event';
import type { CallOutcome, ToolResult } from './types';
import { capResult } from './result-cap';

/** The end of a call, still without its identity. */
export type CallEnd = Omit<CallOutcome, 'callId' | 'tool'> & { label?: string; isReviewed?: boolean } & Pick<
    ToolResult,
    'changed' | 'durable'
  >;

/** A failure as the model reads it: what happened, then what to do. */
export function failedEnd(error: unknown): CallEnd {
  const shape = toErrorShape(error);
  const text = capResult(
    ['Error: ' + shape.message, shape.hint ?? ''].filter((part) => part !== '').join('\n'),
  );
  return { state: 'error', modelText: text.text, error: shape, diffs: [] };
}

export function cancelledEnd(): CallEnd {
  const error: ErrorShape = { code: 'cancelled', message: 'Stopped by the user.', audience: 'log' };
  return {
    state: 'cancelled',
    by: 'stop',
    modelText: 'The call was stopped by the user before it finished.',
    error,
    diffs: [],
  };
}

const REFUSED: Record<DecidedBy, string> = {
  user: 'The user denied this call. Do not repeat it; ask what they want instead, or go on without it.',
  rule: 'A rule denies this call.',
  grant: 'A rule denies this call.',
  policy: 'This call is not allowed.',
  mode: 'This call is not allowed in the current mode.',
  timeout: 'Nobody answered the approval in time, so the call was denied.',
  stop: 'The turn was stopped before the call was approved.',
  guard: 'The harness did not run this call.',
  flag: 'Nobody can be asked for approval in this run, so the call was denied.',
};

/** @param reason why, from policy or mode; added to the sentence for the model */
export function deniedEnd(by: DecidedBy, reason: string): CallEnd {
  const code =
    by === 'mode' ? 'mode_forbids' : by === 'rule' || by === 'policy' ? 'denied_by_rule' : 'not_approved';
  const error = new AppError(code, reason === '' ? REFUSED[by] : reason, { detail: { by } }).toShape();
  const modelText = `Denied: ${[REFUSED[by], reason].filter((part) => part !== '').join(' ')} Nothing was done.`;
  return { state: 'denied', by, modelText, error, diffs: [] };
}

/**
 * A tool's own result, capped once more (H13).
 *
 * @param isReviewed a person saw the diff and allowed it for once
 */
export function finishedEnd(result: ToolResult, by: DecidedBy | undefined, isReviewed = false): CallEnd {
  const capped = capResult(result.text === '' ? '(no output)' : result.text);
  const cutChars = (result.cutChars ?? 0) + capped.cutChars;
  const detail: CallResult = {
    text: capped.text,
    ...(result.exitCode === undefined ? {} : { exitCode: result.exitCode }),
    ...(cutChars === 0 ? {} : { cutChars }),
    ...(result.fullOutputPath === undefined ? {} : { fullOutputPath: result.fullOutputPath }),
  };
  const diffs: FileDiff[] = result.diffs ?? [];
  return {
    state: result.isError === true ? 'error' : 'success',
    ...(by === undefined ? {} : { by }),
    modelText: capped.text,
    result: detail,
    diffs,
    isReviewed,
    ...(result.images === undefined ? {} : { images: result.images }),
    ...(result.changed === undefined ? {} : { changed: result.changed }),
    ...(result.durable === undefined ? {} : { durable: result.durable }),
    ...(result.label === undefined ? {} : { label: result.label }),
  };
}
