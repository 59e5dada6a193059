import { repairArguments } from './argument-repair';
import { CallRun } from './call-run';
import { KeyedLock } from './keyed-lock';
import type { RegisteredTool } from './registry';
import type { ToolRunnerOptions } from './runner-options';
import type { ToolRunner } from './types';

/** parse → mode → prepare → policy → (ask) → journal "running" → execute → cap → record. */
export function createToolRunner(options: ToolRunnerOptions): ToolRunner {
  const locks = new KeyedLock();
  return {
    effectOf: (name) => options.registry.get(name)?.definition.effect ?? null,
    labelOf: (name, args) => labelOf(options.registry.get(name), name, args),
    run: (call, environment) => new CallRun(call, environment, options, locks).run(),
  };
}

function labelOf(tool: RegisteredTool | undefined, name: string, args: unknown): string {
  try {
    const parsed = tool?.definition.input.safeParse(repairArguments(args, tool.schema));
    if (tool !== undefined && parsed?.success === true) return tool.definition.label(parsed.data);
  } catch {
    // A label is decoration: unchecked arguments must never stop a call from being shown.
  }
  return `Called \`${name.slice(0, 64)}\``;
}
