import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { AgentCatalog } from './agent/agent-catalog';
import { openProjectRules, openRulesFile } from './approval/rules-file';
import { createAgentBasics } from './compose-agents';
import type { CoreOptions } from './core';
import { createLogger } from './log/logger';
import { ProviderCatalog } from './model/provider-catalog';
import { ProviderConfig } from './model/provider-config';
import { RecordingPacker } from './recording/recording-packer';
import { SessionTape } from './recording/session-tape';
import { SearchIndexer } from './session/search-indexer';
import { SessionCatalog } from './session/session-catalog';
import { WriterLease } from './session/writer-lease';
import { createSettingsService } from './settings/settings-service';
import { openStore } from './store/open-store';
import type { Store } from './store/types';

const BlindModels = z.array(z.string()).catch([]);
const ProviderConfigs = z.array(ProviderConfig).catch([]);

/** A value of the store that each step of a turn asks for: read each time, and parsed when it is another one. */
function remembered<T>(store: Store, key: string, parse: (value: unknown) => T): () => T {
  let last: { text: string | null; value: T } | null = null;
  return () => {
    const text = store.state.text('global', key);
    if (last?.text !== text || last === null) last = { text, value: parse(store.state.get('global', key)) };
    return last.value;
  };
}

/** The providers that people set up, in the store. */
export function providerConfig(store: Store) {
  return {
    read: remembered(store, 'providers', (value) => ProviderConfigs.parse(value)),
    write: (list: ProviderConfig[]) => store.state.set('global', 'providers', list),
  };
}

/** Models that refused images. */
const blindModels = (store: Store) => ({
  read: remembered(store, 'blind-models', (value) => BlindModels.parse(value ?? [])),
  write: (list: string[]) => store.state.set('global', 'blind-models', list),
});

/** What everything else stands on: log, store, settings, and the sessions in the store. */
export function openBasics({ dataDir, version }: CoreOptions) {
  const log = createLogger({ dir: join(dataDir, 'logs') });
  const store = openStore({ dataDir });
  const userRules = openRulesFile(join(dataDir, 'rules.jsonc'), 'user');
  const agents = new AgentCatalog(join(dataDir, 'agents'));
  const settings = createSettingsService({
    path: join(dataDir, 'settings.jsonc'),
    logger: log,
    otherProblems: (root) => {
      const rules = [userRules, ...(root === null ? [] : [openProjectRules(root)])];
      agents.setProject(root);
      return [...rules.flatMap((file) => file.read().problems), ...agents.state.problems];
    },
  });
  const lease = new WriterLease(store.state, (error) => {
    log.warn('a session could not be marked as in use or free', { error: String(error) });
  });
  const newId = (): string => randomUUID();
  const catalog = new SessionCatalog(
    store,
    lease,
    newId,
    (error) => log.error('events could not be stored yet', { error: String(error) }),
    () => (settings.get('chat.recording.enabled') ? new SessionTape(version) : undefined),
  );
  const packing = new RecordingPacker(store.recordings, (error) => {
    log.warn('a recording could not be packed', { error: String(error) });
  });
  const indexer = new SearchIndexer({
    store,
    onError: (error) => log.error('messages could not be put into the search', { error: String(error) }),
  });
  const agentBasics = createAgentBasics({ dataDir, store, settings, agents, catalog, log });
  return { log, store, settings, userRules, agents, lease, newId, catalog, packing, indexer, ...agentBasics };
}
export type Basics = ReturnType<typeof openBasics>;
/** The models there are, with the one of the command line. */
export function createModels(
  { host, modelOverride }: CoreOptions,
  { store, settings }: Basics,
): ProviderCatalog {
  return new ProviderCatalog({
    secrets: host.secrets,
    config: providerConfig(store),
    settings: {
      defaultModel: () => settings.get('chat.model.default'),
      setDefaultModel: async (model) => void (await settings.set('chat.model.default', model)),
      defaultWindow: () => settings.get('chat.context.defaultWindow'),
      sees: () => settings.get('chat.model.sees'),
    },
    learned: store.learnedWindows,
    blind: blindModels(store),
    ...(modelOverride ? { override: modelOverride } : {}),
  });
}
