import type { Client } from '../../../shared/contract/contract';
import type { AgentInfo } from '../../../shared/model/agent';
import { createStore } from '../../lib/store';

/** Agents of the open project as the host told last; empty until the first answer. */
export const agentStore = createStore<{ agents: readonly AgentInfo[]; problems: readonly string[] }>({
  agents: [],
  problems: [],
});

/** Asks the host again: files may have come or changed. */
export async function loadAgents(client: Pick<Client, 'agent'>): Promise<void> {
  agentStore.set(await client.agent.list(null));
}

/** The agent that a typed name means; null for none. */
export const agentNamed = (name: string): AgentInfo | null =>
  agentStore.get().agents.find((agent) => agent.name === name.toLowerCase()) ?? null;
