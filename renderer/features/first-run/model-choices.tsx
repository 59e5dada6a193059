import { useCallback, useEffect, useState } from 'react';
import type { ProviderInfo } from '../../../shared/contract/model';
import { useClient } from '../../lib/client-context';
import { formatCount } from '../../lib/format';
import { appInfoStore } from '../../lib/project-store';
import { useStore } from '../../lib/store';
import { toastError } from '../../lib/toast-store';
import { Button } from '../../ui/button';
import { Choice } from './choice';
import { suggestedModel } from './suggested-model';

interface ModelFacts {
  /** Null while the loopback ports are being tried. */
  servers: readonly ProviderInfo[] | null;
  chosen: string | null;
  refresh: () => void;
}

function useModelFacts(): ModelFacts {
  const client = useClient();
  const [servers, setServers] = useState<readonly ProviderInfo[] | null>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const load = useCallback(async (): Promise<void> => {
    const [found, { model }] = await Promise.all([client.model.probe(null), client.model.getDefault(null)]);
    setServers(found.filter((server) => server.reachable === true));
    setChosen(model);
  }, [client]);
  const refresh = useCallback(() => void load().catch(toastError), [load]);
  useEffect(() => {
    refresh();
    return client.model.changed.subscribe(null, () => {
      client.model.getDefault(null).then(({ model }) => setChosen(model), toastError);
    });
  }, [client, refresh]);
  return { servers, chosen, refresh };
}

/** Where answers can come from: servers on this machine, or a provider with a key. */
export function ModelChoices({ onProviderSetup }: { onProviderSetup: (providerId: string | null) => void }) {
  const { servers, chosen, refresh } = useModelFacts();
  const host = useStore(appInfoStore, (info) => info?.host ?? 'web');
  const local = servers?.some((server) => chosen?.startsWith(`${server.id}/`)) ?? false;
  const place = host === 'electron' ? 'in the keychain of the system' : 'in a file that only you can read';
  return (
    <>
      {servers === null && (
        <Choice
          icon="plug"
          busy
          title="Looking for local models"
          text="Ollama, LM Studio and llama.cpp on this machine"
        />
      )}
      {servers?.length === 0 && (
        <Choice
          icon="plug"
          title="No local models found"
          text="Looked for Ollama, LM Studio and llama.cpp here"
          action={
            <Button size="large" onClick={refresh}>
              Look again
            </Button>
          }
        />
      )}
      {servers?.map((server) => (
        <LocalServer key={server.id} server={server} chosen={chosen} onProviderSetup={onProviderSetup} />
      ))}
      {chosen !== null && !local ? (
        <Choice
          icon="key"
          done
          title="A model is set up"
          text={<span className="ui-mono">{chosen}</span>}
          action={
            <Button size="large" onClick={() => onProviderSetup(null)}>
              Change…
            </Button>
          }
        />
      ) : (
        <Choice
          icon="key"
          title="Use a provider key"
          text={`Kept ${place}, checked before it is saved`}
          action={
            <Button size="large" onClick={() => onProviderSetup(null)}>
              Add key…
            </Button>
          }
        />
      )}
    </>
  );
}

interface LocalServerProps {
  server: ProviderInfo;
  chosen: string | null;
  onProviderSetup: (providerId: string | null) => void;
}

function LocalServer({ server, chosen, onProviderSetup }: LocalServerProps) {
  const client = useClient();
  const [busy, setBusy] = useState(false);
  const suggested = suggestedModel(server);
  const address = server.baseUrl.replace(/^https?:\/\//, '').replace(/\/.*$/, '');
  const used = chosen?.startsWith(`${server.id}/`) ? chosen.slice(server.id.length + 1) : null;
  const use = async (model: string): Promise<void> => {
    setBusy(true);
    try {
      await client.model.configure({ providerId: server.id, baseUrl: server.baseUrl });
      await client.model.setDefault({ model: `${server.id}/${model}` });
    } finally {
      setBusy(false);
    }
  };
  const fact = used ?? suggested;
  return (
    <Choice
      icon="plug"
      done={used !== null}
      title={
        used === null
          ? `${server.name} found, ${formatCount(server.models.length, 'model')}`
          : `${server.name} is in use`
      }
      text={
        <>
          {address}
          {fact !== null && (
            <>
              , <span className="ui-mono">{fact}</span>
              {used === null && server.models.length > 1 && ' suits an agent best'}
            </>
          )}
        </>
      }
      action={
        used !== null || suggested === null ? (
          <Button size="large" onClick={() => onProviderSetup(server.id)}>
            {used === null ? 'Set up…' : 'Change…'}
          </Button>
        ) : (
          <Button size="large" busy={busy} onClick={() => void use(suggested).catch(toastError)}>
            Use
          </Button>
        )
      }
    />
  );
}
