import type { ToolSpec } from '../model/port';
import { TASK_TOOLS, type Agent } from './agent';

/** The tools that one agent has in one session. */
export interface ToolScope {
  allows(tool: string): boolean;
  /** Why a call is refused at dispatch; null when the agent has the tool. */
  refusal(tool: string): string | null;
  /** The specs of a mode without those that the agent lacks; the same array for the same input (prefix caches). */
  narrow(specs: ToolSpec[]): ToolSpec[];
}

/** Ending a turn properly is never a matter of the list in a file. */
const ALWAYS = new Set(['attempt_completion']);

const fits = (tool: string, pattern: string): boolean =>
  pattern.endsWith('*') ? tool.startsWith(pattern.slice(0, -1)) : tool === pattern;

const narrowed = new WeakMap<ToolSpec[], Map<string, ToolSpec[]>>();

/** A subagent can't start others, make plans or put questions: that belongs to whoever talks with the user. */
const NOT_FOR_CHILDREN: ReadonlySet<string> = new Set([...TASK_TOOLS, 'create_plan', 'ask_user']);

/** @param isChild whether the session is a subagent's */
export function toolScope(agent: Agent, isChild: boolean): ToolScope {
  const { tools, without } = agent;
  const allows = (tool: string): boolean => {
    if (ALWAYS.has(tool)) return true;
    if (without.includes(tool) || (isChild && NOT_FOR_CHILDREN.has(tool))) return false;
    return tools === null || tools.some((pattern) => fits(tool, pattern));
  };
  const unlimited = tools === null && without.length === 0 && !isChild;
  return {
    allows,
    refusal: (tool) => {
      if (allows(tool)) return null;
      if (isChild && TASK_TOOLS.includes(tool)) return 'A subagent can’t start subagents.';
      return `The agent "${agent.name}" does not have the tool \`${tool}\`.`;
    },
    narrow: (specs) => {
      if (unlimited) return specs;
      const kept = specs.filter(({ name }) => allows(name));
      const key = kept.map(({ name }) => name).join(' ');
      const known = narrowed.get(specs) ?? new Map<string, ToolSpec[]>();
      narrowed.set(specs, known);
      const same = known.get(key) ?? kept;
      known.set(key, same);
      return same;
    },
  };
}
