import { AppError } from '../../../shared/error';
import type { CallRun } from './call-run';
import type { Prepared, ToolResult } from './types';

/** What calls would do: one call as its tool prepared it, or several on one file as one change (H10). */
export interface CallPlan {
  /** The calls that take part, in order. Empty when none of several could be planned. */
  runs: readonly CallRun[];
  /** Why a call does not take part: its own failure, while the others go on (fault-F79). */
  failed: ReadonlyMap<CallRun, unknown>;
  /** What is shown; null for a tool that shows nothing beforehand. */
  prepared: Prepared | null;
  /** Results in the order of `runs`. */
  carryOut(): Promise<ToolResult[]>;
}

export type Runs = readonly [CallRun, ...CallRun[]];

/** @throws what a single call's tool throws, or what keeps all of several from being planned */
export async function planCalls(runs: Runs): Promise<CallPlan> {
  return runs.length === 1 ? await planOne(runs[0]) : await planTogether(runs);
}

async function planOne(run: CallRun): Promise<CallPlan> {
  const { tool, args, context } = run;
  const prepared = (await tool.prepare?.(args, context)) ?? null;
  return {
    runs: [run],
    failed: new Map(),
    prepared,
    carryOut: async () => [await tool.run(args, context, prepared)],
  };
}

async function planTogether(runs: Runs): Promise<CallPlan> {
  const [first, ...rest] = runs;
  const { joint } = first.tool;
  if (joint === undefined) throw new AppError('internal', `\`${first.tool.name}\` can't join its calls.`);
  const plan = await joint.prepare([first.args, ...rest.map(({ args }) => args)], first.context);
  const failed = new Map<CallRun, unknown>();
  runs.forEach((run, index) => {
    const failure = plan.failures[index] ?? null;
    if (failure !== null) failed.set(run, failure);
  });
  return {
    runs: runs.filter((run) => !failed.has(run)),
    failed,
    prepared: plan,
    carryOut: async () => (await joint.run(plan, first.context)).filter((result) => result !== null),
  };
}
