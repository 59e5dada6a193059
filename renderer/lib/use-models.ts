import { useEffect, useState } from 'react';
import type { ProviderInfo } from '../../shared/contract/model';
import { useClient } from './client-context';
import { toastError } from './toast-store';

export interface KnownModels {
  readonly providers: readonly ProviderInfo[];
  /** `provider/model`; null when none is set up. */
  readonly defaultModel: string | null;
  readonly loaded: boolean;
}

/** The providers that are set up and the default model, kept in step with the host. */
export function useModels(): KnownModels {
  const client = useClient();
  const [known, setKnown] = useState<KnownModels>({ providers: [], defaultModel: null, loaded: false });
  useEffect(() => {
    let current = true;
    const load = async (): Promise<void> => {
      const [providers, { model }] = await Promise.all([
        client.model.providers(null),
        client.model.getDefault(null),
      ]);
      if (current) setKnown({ providers, defaultModel: model, loaded: true });
    };
    load().catch(toastError);
    const leave = client.model.changed.subscribe(null, () => void load().catch(toastError));
    return () => {
      current = false;
      leave();
    };
  }, [client]);
  return known;
}
