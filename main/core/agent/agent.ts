import type { AgentInfo } from '../../../shared/model/agent';
import type { Mode } from '../../../shared/model/mode';
import { STEP_CAPS } from '../limits';

/** Who does a turn: what it may do, with which tools, for how many steps, and what it is told on top of the prompt. */
export interface Agent extends AgentInfo {
  /** Tools it never has, also when `tools` is null. */
  readonly without: readonly string[];
  /** Text that its prompt gets in addition; '' for none. */
  readonly prompt: string;
}

/** Tools that start or collect subagents. A subagent has none of them. */
export const TASK_TOOLS: readonly string[] = ['task', 'task_collect'];

const builtin = (
  facts: Pick<Agent, 'name' | 'title' | 'description' | 'mode' | 'maxSteps'> & Partial<Agent>,
): Agent => ({ origin: 'builtin', path: null, tools: null, without: [], model: null, prompt: '', ...facts });

/** The agents that are the modes; a session without an agent of its own has one of these. */
export const MODE_AGENTS: Readonly<Record<Mode, Agent>> = {
  agent: builtin({
    name: 'agent',
    title: 'Agent',
    description: 'reads, edits, runs',
    mode: 'agent',
    maxSteps: STEP_CAPS.agent,
  }),
  plan: builtin({
    name: 'plan',
    title: 'Plan',
    description: 'reads and plans',
    mode: 'plan',
    maxSteps: STEP_CAPS.plan,
  }),
  ask: builtin({
    name: 'ask',
    title: 'Ask',
    description: 'reads and answers',
    mode: 'ask',
    maxSteps: STEP_CAPS.ask,
  }),
};

const EXPLORE = builtin({
  name: 'explore',
  title: 'Explore',
  description: 'searches the code and reports',
  mode: 'ask',
  maxSteps: STEP_CAPS.explore,
  without: [...TASK_TOOLS, 'ask_user'],
  prompt:
    'You are the agent "explore": find things in this project fast and report them. Search wide first, then read only ' +
    'the lines that decide. Answer with what was asked, each finding as `path:line` with one line of context.',
});

const GENERAL = builtin({
  name: 'general',
  title: 'General',
  description: 'does one task from start to end',
  mode: 'agent',
  maxSteps: STEP_CAPS.general,
  without: [...TASK_TOOLS, 'skill_manage'],
  prompt:
    'You are the agent "general": do exactly the task you were given, check it, and report what you did and what is left.',
});

/** All agents that come with Lathe and that people or models can choose, in the order of the picker. */
export const BUILTIN_AGENTS: readonly Agent[] = [
  MODE_AGENTS.agent,
  MODE_AGENTS.plan,
  MODE_AGENTS.ask,
  EXPLORE,
  GENERAL,
];

/** Other names of agents that come with Lathe. */
const ALIASES: Readonly<Record<string, string>> = { build: 'agent' };

/** Names that files can't take: of agents that come with Lathe, and of its hidden ones. */
export const RESERVED_NAMES: ReadonlySet<string> = new Set([
  ...BUILTIN_AGENTS.map(({ name }) => name),
  ...Object.keys(ALIASES),
  'compact',
  'title',
]);

export const unaliased = (name: string): string => ALIASES[name] ?? name;
