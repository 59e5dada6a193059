import { homedir } from 'node:os';
import type { AgentCatalog } from './agent/agent-catalog';
import { providerConfig } from './compose-basics';
import type { CoreOptions } from './core';
import { secretName } from './model/provider-config';
import { SessionArchive } from './session-archive/session-archive';
import type { SearchIndexer } from './session/search-indexer';
import { SessionBranches } from './session/session-branches';
import type { SessionCatalog } from './session/session-catalog';
import type { TurnService } from './session/turn-service';
import type { WriterLease } from './session/writer-lease';
import type { Store } from './store/types';

export interface SessionPartsOptions {
  core: CoreOptions;
  store: Store;
  catalog: SessionCatalog;
  lease: WriterLease;
  agents: AgentCatalog;
  turns: TurnService;
  indexer: SearchIndexer;
  newId(): string;
}

async function keysInUse({ core, store }: SessionPartsOptions): Promise<string[]> {
  const providers = providerConfig(store).read();
  const stored = await Promise.all(providers.map(({ id }) => core.host.secrets.get(secretName(id))));
  return [...stored, core.modelOverride?.apiKey].flatMap((key) => (key ? [key] : []));
}

/** Variables by which other tools are told where to keep their sessions; no other goes to a worker. */
const toolPlaces = ({
  CLAUDE_CONFIG_DIR,
  CODEX_HOME,
  XDG_DATA_HOME,
  PI_CODING_AGENT_DIR,
}: NodeJS.ProcessEnv) => ({
  ...{ CLAUDE_CONFIG_DIR, CODEX_HOME, XDG_DATA_HOME, PI_CODING_AGENT_DIR },
});

/** What can be done with sessions besides running turns in them. */
export function createSessionParts(options: SessionPartsOptions) {
  const { store, catalog, lease, agents, turns, newId, core, indexer } = options;
  const isRunning = (id: string): boolean => turns.isRunning(id);
  const toIndex = (): void => indexer.kick();
  const branches = new SessionBranches({
    ...{ store, sessions: catalog, lease, isRunning, newId },
    onCopied: toIndex,
  });
  const archive = new SessionArchive({
    ...{ store, sessions: catalog, isRunning, newId },
    app: core.version,
    secrets: () => keysInUse(options),
    agents: () => agents.state.agents.map(({ name }) => name),
    places: { env: toolPlaces(process.env), home: homedir() },
    onImported: toIndex,
  });
  indexer.startSoon();
  return { indexer, branches, archive };
}
export type SessionParts = ReturnType<typeof createSessionParts>;
