import { join } from 'node:path';
import type { SessionId } from '../../shared/model/ids';
import type { SessionSummary } from '../../shared/model/session';
import type { AgentCatalog } from './agent/agent-catalog';
import { PlanService } from './agent/plan-service';
import { sessionRole, type SessionRole } from './agent/session-role';
import { Subagents } from './agent/subagents';
import { TitleService } from './agent/title-service';
import { Budgets } from './budget/budgets';
import type { Logger } from './log/logger';
import { createFlushFacts } from './memory/flush-facts';
import { ProjectMemory } from './memory/project-memory';
import type { SessionCatalog } from './session/session-catalog';
import type { TurnService } from './session/turn-service';
import type { SettingsService } from './settings/settings-service';
import type { Store } from './store/types';

export interface AgentBasicsOptions {
  dataDir: string;
  store: Store;
  settings: SettingsService;
  agents: AgentCatalog;
  catalog: SessionCatalog;
  log: Logger;
}

/** Who works in a session, what it may spend and what is remembered of earlier ones: turns stand on these. */
export function createAgentBasics({ dataDir, store, settings, agents, catalog, log }: AgentBasicsOptions) {
  const role = (summary: SessionSummary): SessionRole =>
    sessionRole(summary, summary.parentId === null ? null : catalog.get(summary.parentId), agents);
  const budgets = new Budgets({
    sessions: store.sessions,
    usual: () => ({
      usd: settings.get('chat.budget.sessionUsd'),
      tokens: settings.get('chat.budget.sessionTokens'),
    }),
    prices: () => settings.get('chat.budget.prices'),
    onError: (error) => log.warn('spending could not be stored', { error: String(error) }),
  });
  const memory = new ProjectMemory({
    folder: join(dataDir, 'memory'),
    notes: store.memory,
    search: store.search,
    events: store.events,
    session: (id) => catalog.get(id),
    enabled: () => settings.get('chat.memory.enabled'),
    now: () => Date.now(),
  });
  return { role, budgets, memory };
}

export interface AgentPartsOptions extends AgentBasicsOptions, ReturnType<typeof createAgentBasics> {
  turns(): TurnService;
}

/** What works with turns beside the user: subagents, plans, titles and the memory's gleaning. */
export function createAgentParts(options: AgentPartsOptions) {
  const { settings, agents, catalog, log, role, memory, turns } = options;
  const cheapest = (why: string) => (id: SessionId) =>
    turns().requestDeps(id).deps.resolveModel({ tier: 'fast', why });
  const subagents = new Subagents({
    ...{ sessions: catalog, turns, agents, role, log },
    maxParallel: () => settings.get('chat.subagents.maxParallel'),
  });
  const titles = new TitleService({
    ...{ sessions: catalog, log },
    enabled: () => settings.get('chat.titles.generate'),
    model: cheapest('titles'),
  });
  const flushFacts = createFlushFacts({
    memory,
    askModel: () => settings.get('chat.memory.flush'),
    model: cheapest('memory'),
  });
  const plans = new PlanService(catalog, turns);
  return { subagents, titles, flushFacts, plans };
}
export type AgentParts = ReturnType<typeof createAgentParts>;
