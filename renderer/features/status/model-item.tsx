import { useEffect, useState } from 'react';
import { useClient } from '../../lib/client-context';
import { statusStore } from '../../lib/status-store';
import { useStore } from '../../lib/store';
import { toastError } from '../../lib/toast-store';

interface Known {
  /** `provider/model`; null when none is set up. */
  model: string | null;
  names: ReadonlyMap<string, string>;
}

/** The default model while no session says which one it uses. */
function useDefaultModel(): Known {
  const client = useClient();
  const [known, setKnown] = useState<Known>({ model: null, names: new Map() });
  useEffect(() => {
    let current = true;
    const load = async (): Promise<void> => {
      const [{ model }, providers] = await Promise.all([
        client.model.getDefault(null),
        client.model.providers(null),
      ]);
      const names = new Map(providers.map((provider) => [provider.id, provider.name]));
      if (current) setKnown({ model, names });
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

export function ModelItem({ onSetUp }: { onSetUp: () => void }) {
  const { model, names } = useDefaultModel();
  const chatModel = useStore(statusStore.chat, (chat) => chat.model);
  const chatProvider = useStore(statusStore.chat, (chat) => chat.provider);
  const cut = model?.indexOf('/') ?? -1;
  const provider = chatProvider ?? (model === null ? null : model.slice(0, cut));
  const name = chatModel ?? (model === null ? null : model.slice(cut + 1));
  if (name === null) {
    return (
      <button type="button" className="status-item" title="Choose where answers come from" onClick={onSetUp}>
        <span className="ui-dot ui-dot-ring ui-warn" />
        No model
      </button>
    );
  }
  const providerName = provider === null ? '' : `${names.get(provider) ?? provider}, `;
  return (
    <button type="button" className="status-item" title="Provider and model" onClick={onSetUp}>
      <span className="ui-dot ui-ok" />
      <span className="status-model ui-clip">
        {providerName}
        {name}
      </span>
    </button>
  );
}
