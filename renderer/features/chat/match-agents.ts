import type { AgentInfo } from '../../../shared/model/agent';

/** Agents that fit what is typed after `/agent `, as commands; none elsewhere. */
export function matchAgents(text: string, agents: readonly AgentInfo[]): { name: string; text: string }[] {
  const query = /^\/agent ([\w-]*)$/.exec(text)?.[1]?.toLowerCase();
  if (query === undefined) return [];
  return agents
    .filter(({ name }) => name.startsWith(query))
    .map(({ name, description }) => ({ name: `agent ${name}`, text: description }));
}
