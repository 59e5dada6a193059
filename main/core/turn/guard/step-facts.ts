import type { ReplyCall } from '../../model/port';
import type { CallOutcome, ToolEffect } from '../../tool/types';
import { fingerprint, hashText } from './fingerprint';
import type { CallFacts } from './guard';

function reasonOf({ error }: CallOutcome): string {
  const reason = error?.detail?.['reason'];
  return typeof reason === 'string' ? reason : '';
}

/** The calls of a step with their outcomes, as guards see them, in call order. */
export function callFacts(
  calls: readonly ReplyCall[],
  outcomes: readonly CallOutcome[],
  effectOf: (tool: string) => ToolEffect | null,
): CallFacts[] {
  const byId = new Map(outcomes.map((outcome) => [outcome.callId, outcome]));
  return calls.flatMap((call) => {
    const outcome = byId.get(call.id);
    if (outcome === undefined) return [];
    const args = call.args.ok ? call.args.value : call.raw;
    return {
      tool: call.name,
      args,
      fingerprint: fingerprint(call.name, args),
      resultHash: hashText(outcome.modelText),
      effect: effectOf(call.name),
      state: outcome.state,
      refused: outcome.by === 'guard',
      changedFiles: outcome.diffs.length,
      errorReason: reasonOf(outcome),
    };
  });
}
