import { z } from 'zod';
import type { ReplyCall } from '../model/port';
import { repairArguments } from './argument-repair';
import { CallPass } from './call-pass';
import { CallRun } from './call-run';
import { KeyedLock } from './keyed-lock';
import type { RegisteredTool } from './registry';
import type { ToolRunnerOptions } from './runner-options';
import type { CallOutcome, ToolRunner } from './types';

/** parse → mode → prepare → policy → (ask) → journal "running" → execute → cap → record. */
export function createToolRunner(options: ToolRunnerOptions): ToolRunner {
  const locks = new KeyedLock();
  const runTogether: ToolRunner['runTogether'] = (calls) => {
    const runs = calls.map(({ call, environment }) => new CallRun(call, environment, options));
    return new CallPass(runs, options, locks).run();
  };
  return {
    effectOf: (name) => options.registry.get(name)?.definition.effect ?? null,
    runsBeside: (name) => options.registry.get(name)?.definition.runsBeside === true,
    labelOf: (name, args) => labelOf(options.registry.get(name), name, args),
    run: async (call, environment) => (await runTogether([{ call, environment }]))[0] as CallOutcome,
    joinKey: (call) => joinKey(call, options),
    runTogether,
  };
}

/** Same tool, same files, however the model spelt them. Anything that is wrong with a call is told when it runs. */
async function joinKey(call: ReplyCall, { registry, files }: ToolRunnerOptions): Promise<string | null> {
  const tool = registry.get(call.name);
  if (tool?.definition.joint === undefined || !call.args.ok) return null;
  const parsed = z.safeParse(tool.definition.input, repairArguments(call.args.value, tool.schema));
  if (!parsed.success) return null;
  try {
    const { paths } = tool.definition.subject(parsed.data);
    const resolved = await Promise.all(paths.map((path) => files.resolve(path)));
    return JSON.stringify([
      call.name,
      resolved.map(({ relative, realRelative }) => [relative, realRelative]),
    ]);
  } catch {
    return null;
  }
}

function labelOf(tool: RegisteredTool | undefined, name: string, args: unknown): string {
  try {
    const parsed = tool && z.safeParse(tool.definition.input, repairArguments(args, tool.schema));
    if (tool && parsed?.success === true) return tool.definition.label(parsed.data);
  } catch {
    // A label is decoration: unchecked arguments must never stop a call from being shown.
  }
  return `Called \`${name.slice(0, 64)}\``;
}
