import { diffFile } from '../../../edit/diff';
import type { JointPlan, Prepared, ToolContext, ToolResult } from '../../types';
import { GatedWrite } from './gated-write';
import { carryOut, currentAfter, readCurrent, type CurrentFile, type WritePlan } from './write-plan';

/** Works out one change on the file as it is at that point. */
export type PlanChange<A> = (args: A, current: CurrentFile, context: ToolContext) => Promise<WritePlan>;

/** Several changes of one file that are shown and written as one; `parts` is null where a call could not be planned. */
export interface JointWrite extends JointPlan {
  parts: readonly (WritePlan | null)[];
  /** From the file as it is to the file after the last part; null when no part could be planned. */
  whole: WritePlan | null;
}

/**
 * Plans changes of one file in order, each on what the ones before it leave. One that does not fit is left out with its
 * reason and the others go on without it (fault-F79).
 *
 * @throws AppError those of `readCurrent`: then none of them can be planned
 */
export async function planTogether<A extends { path: string }>(
  calls: readonly [A, ...A[]],
  plan: PlanChange<A>,
  context: ToolContext,
): Promise<JointWrite> {
  const before = await readCurrent(calls[0].path, context);
  const parts: (WritePlan | null)[] = [];
  const failures: unknown[] = [];
  let current = before;
  for (const args of calls) {
    try {
      const part = await plan(args, current, context);
      current = currentAfter(current, part);
      parts.push(part);
      failures.push(null);
    } catch (error) {
      parts.push(null);
      failures.push(error);
    }
  }
  const whole = wholeOf(before, parts, context);
  const nothing: Prepared = { subject: { kind: 'write', paths: [before.resolved.relative], diffs: [] } };
  return { ...(whole ?? nothing), parts, whole, failures };
}

function wholeOf(
  before: CurrentFile,
  parts: readonly (WritePlan | null)[],
  context: ToolContext,
): WritePlan | null {
  const planned = parts.filter((part) => part !== null);
  const last = planned.at(-1);
  if (last === undefined || planned.length === 1) return last ?? null;
  const { relative } = before.resolved;
  const diff = diffFile({
    path: relative,
    before: before.file === null ? null : before.file.text,
    after: last.after.text,
    beforeHash: before.hash,
    afterHash: last.diff.afterHash,
  });
  // What each call would have left is kept too, so that each can be reverted.
  const passed = planned.slice(0, -1).map(({ bytes }) => bytes);
  const conditions = { expectedHash: before.hash, passed };
  const write = new GatedWrite(before.resolved, last.bytes, conditions, context);
  return {
    ...last,
    diff,
    write,
    beforeHash: before.hash,
    subject: { kind: 'write', paths: [relative], diffs: [diff] },
    isStale: async () => (await context.files.hashOf(relative)) !== before.hash,
    begin: () => write.begin(),
    abandon: () => write.abandon(),
  };
}

/** Writes the file once. @returns per call what it is told, null for one that was not part of it */
export async function writeTogether(
  { parts, whole }: JointWrite,
  tell: (part: WritePlan) => ToolResult,
  context: ToolContext,
): Promise<(ToolResult | null)[]> {
  if (whole !== null) await carryOut(whole, context);
  return parts.map((part) => part && { ...tell(part), ...(whole && { durable: whole.write.durable }) });
}
