import type { ToolEffect } from '../../tool/types';
import { fingerprint, hashText } from '../guard/fingerprint';
import type { CallFacts, Guard, StepFacts, Verdict } from '../guard/guard';

const EFFECTS: Record<string, ToolEffect> = {
  read_file: 'read',
  list_dir: 'read',
  grep: 'read',
  glob: 'read',
  edit_file: 'write',
  write_file: 'write',
  run_command: 'execute',
};

/** A successful call as guards see it. */
export function call(
  tool: string,
  args: unknown = {},
  changes: Partial<CallFacts> & { result?: string } = {},
): CallFacts {
  const { result = 'same', ...rest } = changes;
  return {
    tool,
    args,
    fingerprint: fingerprint(tool, args),
    resultHash: hashText(result),
    effect: EFFECTS[tool] ?? 'interact',
    state: 'success',
    refused: false,
    changedFiles: 0,
    errorReason: '',
    ...rest,
  };
}

export const stepOf = (step: number, calls: CallFacts[], text = ''): StepFacts => ({ step, text, calls });

/** Shows a guard one step after the other, a call each; returns what it said, by step number. */
export function watch(guard: Guard, calls: readonly (CallFacts | CallFacts[])[]): Map<number, Verdict> {
  const said = new Map<number, Verdict>();
  for (const [at, each] of calls.entries()) {
    const verdict = guard.observe(stepOf(at + 1, Array.isArray(each) ? each : [each]));
    if (verdict) said.set(at + 1, verdict);
  }
  return said;
}

export const times = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_each, at) => make(at));
