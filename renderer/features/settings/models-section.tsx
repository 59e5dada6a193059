import { useEffect, useState } from 'react';
import type { ProviderInfo } from '../../../shared/contract/model';
import { useClient } from '../../lib/client-context';
import { formatCount } from '../../lib/format';
import { toastError } from '../../lib/toast-store';
import { Button } from '../../ui/button';
import { EmptyState } from '../../ui/empty-state';
import { Icon } from '../../ui/icon';

interface ModelFacts {
  providers: readonly ProviderInfo[] | null;
  model: string | null;
}

function useModelFacts(): ModelFacts {
  const client = useClient();
  const [facts, setFacts] = useState<ModelFacts>({ providers: null, model: null });
  useEffect(() => {
    let current = true;
    const load = async (): Promise<void> => {
      const [providers, { model }] = await Promise.all([
        client.model.providers(null),
        client.model.getDefault(null),
      ]);
      if (current) setFacts({ providers, model });
    };
    load().catch(toastError);
    const leave = client.model.changed.subscribe(null, () => void load().catch(toastError));
    return () => {
      current = false;
      leave();
    };
  }, [client]);
  return facts;
}

/** The default model and the providers that are set up. */
export function ModelsSection({ onProviderSetup }: { onProviderSetup: (providerId: string | null) => void }) {
  const { providers, model } = useModelFacts();
  if (providers === null) return null;
  const ready = providers.filter((provider) => provider.configured && provider.kind !== 'scripted');
  if (ready.length === 0) {
    return (
      <EmptyState
        icon="plug"
        title="No model is set up"
        actions={
          <Button variant="primary" onClick={() => onProviderSetup(null)}>
            Set up a provider…
          </Button>
        }
      >
        Add a provider’s key or use a server on this machine. Until then nothing is sent anywhere.
      </EmptyState>
    );
  }
  return (
    <>
      <div className="setting-row">
        <div>
          <div>Default model</div>
          <div className="setting-text">New sessions use it; each session can choose another</div>
        </div>
        <Button onClick={() => onProviderSetup(model?.split('/')[0] ?? null)}>
          <span className="ui-mono">{model ?? 'Choose…'}</span>
        </Button>
      </div>
      {ready.map((provider) => (
        <ProviderRow key={provider.id} provider={provider} onEdit={() => onProviderSetup(provider.id)} />
      ))}
      <div className="setting-row">
        <div className="setting-text">
          OpenAI-compatible services, and Ollama, LM Studio or llama.cpp on this machine
        </div>
        <Button icon="add" onClick={() => onProviderSetup('custom')}>
          Add a provider…
        </Button>
      </div>
    </>
  );
}

function ProviderRow({ provider, onEdit }: { provider: ProviderInfo; onEdit: () => void }) {
  const facts = [
    provider.baseUrl,
    provider.models.length > 0 ? formatCount(provider.models.length, 'model') : null,
    provider.hasKey ? 'key stored' : provider.needsKey ? 'no key' : null,
  ].filter((fact) => fact !== null);
  return (
    <div className="setting-row">
      <div className="setting-path">
        <div className="ui-row">
          {provider.name}
          {provider.needsKey && !provider.hasKey && (
            <Icon name="warning" size={14} className="ui-warn" label="no key" />
          )}
          {provider.reachable === false && <span className="setting-text">not running</span>}
        </div>
        <div className="setting-text">{facts.join(' · ')}</div>
      </div>
      <Button aria-label={`Edit ${provider.name}`} onClick={onEdit}>
        Edit…
      </Button>
    </div>
  );
}
