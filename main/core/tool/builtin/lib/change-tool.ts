import type { z } from 'zod';
import { changeLabel, fileName } from '../../../edit/label';
import { defineTool } from '../../define';
import type { ToolContext, ToolDefinition, ToolResult } from '../../types';
import { AGENT_ONLY } from './access';
import { planTogether, writeTogether, type JointWrite, type PlanChange } from './joint-write';
import { carryOut, readCurrent, type WritePlan } from './write-plan';
import type { Schema } from '../../../../../shared/schema';

/** Hunks whose new lines a result names. */
const NAMED_HUNKS = 10;

interface ChangeTool<I extends Schema<{ path: string }>> {
  name: string;
  describe: string;
  input: I;
  /** For the feed: "Editing", then "Edited". */
  doing: string;
  done: string;
  plan: PlanChange<z.output<I>>;
  /** Whether calls of one reply on one file are one pass (H10); the model is then told where its lines are now. */
  joins: boolean;
}

/** A tool that changes one file: works the change out, shows it, writes it whole and says what is different now. */
export function changeTool<I extends Schema<{ path: string }>>(
  tool: ChangeTool<I>,
): ToolDefinition<I, WritePlan> {
  const { name, describe, input, doing, done } = tool;
  const tell = (plan: WritePlan): ToolResult => resultOf(plan, done, tool.joins);
  const prepare = async (args: z.output<I>, context: ToolContext): Promise<WritePlan> =>
    tool.plan(args, await readCurrent(args.path, context), context);
  return defineTool({
    name,
    effect: 'write',
    describe,
    input,
    modes: AGENT_ONLY,
    subject: ({ path }) => ({ paths: [path] }),
    label: ({ path }) => `${doing} \`${fileName(path)}\``,
    prepare,
    run: async (args, context, prepared: WritePlan | null) => {
      const plan = prepared ?? (await prepare(args, context));
      await carryOut(plan, context);
      return tell(plan);
    },
    ...(tool.joins
      ? {
          joint: {
            prepare: (calls, context) => planTogether(calls, tool.plan, context),
            run: (plan: JointWrite, context) => writeTogether(plan, tell, context),
          },
        }
      : {}),
  });
}

function resultOf({ diff, notes, write }: WritePlan, done: string, withLines: boolean): ToolResult {
  const verb = diff.change === 'create' ? 'Created' : done;
  const where = withLines && diff.change !== 'create' ? linesNow(diff) : '';
  return {
    text: [
      `${verb} \`${diff.path}\` (${changeLabel(diff)}${where}).`,
      ...notes.map((note) => `Note: ${note}.`),
    ].join('\n'),
    diffs: [diff],
    durable: write.durable,
    label: `${verb} \`${fileName(diff.path)}\` ${changeLabel(diff)}${diff.match === undefined ? '' : ` (${diff.match})`}`,
  };
}

function linesNow({ hunks }: WritePlan['diff']): string {
  if (hunks.length === 0) return '';
  const ranges = hunks
    .slice(0, NAMED_HUNKS)
    .map(({ newStart, newLines }) => `${newStart}–${Math.max(newStart, newStart + newLines - 1)}`);
  return `, now at lines ${ranges.join(', ')}`;
}
