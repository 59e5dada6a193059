import type { ProviderInfo } from '../../../shared/contract/model';
import type { ModelProvider } from './port';
import type { KnownModel, ProviderPreset } from './presets';

/** What is known of a provider; of its key only whether there is one. */
export interface ProviderFacts {
  id: string;
  name: string;
  baseUrl: string;
  preset: ProviderPreset | null;
  hasKey: boolean;
  /** The user has saved it. */
  stored: boolean;
  reachable: boolean | null;
  models: readonly KnownModel[];
}

export function providerInfo(facts: ProviderFacts): ProviderInfo {
  const { preset } = facts;
  return {
    id: facts.id,
    name: facts.name,
    kind: preset?.kind ?? 'custom',
    baseUrl: facts.baseUrl,
    hasKey: facts.hasKey,
    needsKey: preset?.needsKey ?? false,
    configured: isConfigured(facts),
    reachable: facts.reachable,
    models: facts.models.map((model) => ({ ...model })),
    keyUrl: preset?.keyUrl ?? null,
  };
}

/** Ready to be used: a key where one is needed, a stored address, or a local server that answered with models. */
function isConfigured({ preset, hasKey, stored, reachable, models }: ProviderFacts): boolean {
  if (preset === null) return stored;
  if (preset.needsKey) return hasKey && (stored || !preset.ownUrl);
  return stored || (reachable === true && models.length > 0);
}

export const scriptedInfo = (provider: ModelProvider, model: string): ProviderInfo => ({
  id: provider.id,
  name: provider.name,
  kind: 'scripted',
  baseUrl: '',
  hasKey: false,
  needsKey: false,
  configured: true,
  reachable: null,
  models: [{ id: model, contextWindow: null }],
  keyUrl: null,
});
