import type { ToolSpec } from './port';
import { toolsRefused } from './schema-refusal';
import { fitTool } from './schema-tool';

/** A tool as it is here and as it is sent. */
export interface OfferedTool {
  spec: ToolSpec;
  sent: ToolSpec;
}

/** What a model's server refused of a tool: its schema in full, or the tool whatever it says. */
interface Refusal {
  /** The tool that was refused; another schema under its name is tried again. */
  spec: string;
  step: 'plain' | 'out';
}

/** By server and model, then by name; for the life of the process, so that the list of a session stays what it is. */
const refusals = new Map<string, Map<string, Refusal>>();

const keyOf = (baseUrl: string, model: string): string => `${baseUrl} ${model}`;

function stepOf(spec: ToolSpec, known: ReadonlyMap<string, Refusal> | undefined): Refusal['step'] | null {
  const refusal = known?.get(spec.name);
  return refusal !== undefined && refusal.spec === JSON.stringify(spec) ? refusal.step : null;
}

/** The tools that may be offered to a model, each in the form that its server takes as far as it is known (fault-F109). */
export function offeredTools(baseUrl: string, model: string, specs: readonly ToolSpec[]): OfferedTool[] {
  const known = refusals.get(keyOf(baseUrl, model));
  return specs.flatMap((spec) => {
    const step = stepOf(spec, known);
    return step === 'out' ? [] : [{ spec, sent: fitTool(spec, step ?? 'common') }];
  });
}

/**
 * Learns from a refusal that names tools: each is sent in its plainest form next time, or, where that is what was refused,
 * not at all.
 *
 * @returns names of the tools that are left out from now on; null when the words name no tool, or all of them would go:
 * asking again would change nothing
 */
export function learnRefusedTools(
  baseUrl: string,
  model: string,
  offered: readonly OfferedTool[],
  words: string,
): string[] | null {
  const named = new Set(
    toolsRefused(
      words,
      offered.map(({ sent }) => sent),
    ),
  );
  const refused = offered.filter(({ sent }) => named.has(sent));
  const out = refused.filter(({ spec, sent }) => same(fitTool(spec, 'plain'), sent));
  if (refused.length === 0 || out.length === offered.length) return null;
  const key = keyOf(baseUrl, model);
  const known = refusals.get(key) ?? new Map<string, Refusal>();
  refusals.set(key, known);
  for (const each of refused) {
    known.set(each.spec.name, {
      spec: JSON.stringify(each.spec),
      step: out.includes(each) ? 'out' : 'plain',
    });
  }
  return out.map(({ spec }) => spec.name);
}

const same = (one: ToolSpec, other: ToolSpec): boolean => JSON.stringify(one) === JSON.stringify(other);
