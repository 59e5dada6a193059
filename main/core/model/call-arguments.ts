import { findJsonFault } from './json-error';
import type { ReplyCall } from './port';

export type CallArguments = ReplyCall['args'];

/**
 * Parses the argument text of one call, strictly: nothing is repaired, so a tool never runs on guessed input.
 * '' and `null` become `{}` (fault-F69, F70); text that is JSON twice over is decoded once more (fault-F72).
 *
 * @param raw argument text as received
 * @param hitOutputLimit the reply ended at the output limit, which is then what broke an unfinished text (fault-F15)
 */
export function parseCallArguments(raw: string, hitOutputLimit: boolean): CallArguments {
  if (raw.trim() === '') return hitOutputLimit ? outputLimit() : { ok: true, value: {} };
  try {
    return { ok: true, value: unwrap(JSON.parse(raw)) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return explain(raw, hitOutputLimit);
  }
}

function unwrap(value: unknown): unknown {
  if (value === null) return {};
  if (typeof value !== 'string') return value;
  const inner = value.trim();
  if (inner === '') return {};
  if (!inner.startsWith('{')) return value;
  try {
    return JSON.parse(inner);
  } catch (error) {
    if (error instanceof SyntaxError) return value;
    throw error;
  }
}

function explain(raw: string, hitOutputLimit: boolean): CallArguments {
  const fault = findJsonFault(raw) ?? { position: 0, truncated: false };
  if (!fault.truncated) {
    const near = JSON.stringify(raw.slice(Math.max(0, fault.position - 20), fault.position + 20));
    return {
      ok: false,
      reason: 'invalid_json',
      message: `The arguments are not valid JSON: unexpected text at position ${fault.position}, near ${near}. Nothing was run. Send the call again with valid JSON.`,
    };
  }
  return hitOutputLimit ? outputLimit() : truncated(raw.length);
}

const truncated = (length: number): CallArguments => ({
  ok: false,
  reason: 'truncated',
  message: `The arguments were cut off after ${length} characters. Nothing was run. Send the call again, in smaller parts if it is long.`,
});

const outputLimit = (): CallArguments => ({
  ok: false,
  reason: 'output_limit',
  message:
    'The reply reached the output limit before the arguments were complete. Nothing was run. Write in smaller parts: one file or one section per call.',
});
