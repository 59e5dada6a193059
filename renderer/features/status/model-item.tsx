import { useState } from 'react';
import { shortProvider, splitModel } from '../../lib/model-name';
import { statusStore } from '../../lib/status-store';
import { useStore } from '../../lib/store';
import { type KnownModels, useModels } from '../../lib/use-models';
import { Menu, type MenuEntry } from '../../ui/menu';
import type { MenuAnchor } from '../../ui/menu-place';

export interface ModelActions {
  chooseModel: () => void;
  showProviders: () => void;
}

interface Used {
  model: string;
  /** As the provider calls itself, with its address; '' when unknown. */
  provider: string;
}

/** A turn names its provider by id or by the host of its address, the default model by id. */
const providerName = (named: string, providers: KnownModels['providers']): string =>
  providers.find(({ id, baseUrl }) => id === named || hostOf(baseUrl) === named)?.name ?? named;

const hostOf = (url: string): string | null => (URL.canParse(url) ? new URL(url).host : null);

/** What answers here: the session's model, else the default; null when none is set up. */
function useUsedModel({ providers, defaultModel }: KnownModels): Used | null {
  const chatModel = useStore(statusStore.chat, (chat) => chat.model);
  const chatProvider = useStore(statusStore.chat, (chat) => chat.provider);
  const fallback = defaultModel === null ? null : splitModel(defaultModel);
  const model = chatModel ?? fallback?.model;
  if (model === undefined) return null;
  return { model, provider: providerName(chatProvider ?? fallback?.provider ?? '', providers) };
}

/** The model's name whole as long as there is room, its provider short; both in full in the menu. */
export function ModelItem({ actions }: { actions: ModelActions }) {
  const used = useUsedModel(useModels());
  const [menu, setMenu] = useState<MenuAnchor | null>(null);
  if (!used) {
    return (
      <button
        type="button"
        className="status-item"
        title="Choose where answers come from"
        onClick={actions.showProviders}
      >
        <span className="ui-dot ui-dot-ring ui-warn" />
        No model
      </button>
    );
  }
  const { model, provider } = used;
  return (
    <>
      <button
        type="button"
        className="status-item status-model"
        title={[model, provider].filter(Boolean).join(', ')}
        aria-haspopup="menu"
        aria-expanded={menu !== null}
        onClick={(event) => setMenu(event.currentTarget.getBoundingClientRect())}
      >
        <span className="ui-dot ui-ok" />
        <span className="ui-sr">{'Model: '}</span>
        <span className="status-model-name ui-clip">{model}</span>
        {provider !== '' && (
          <>
            <span className="ui-sr">{', '}</span>
            <span className="status-provider ui-clip">{shortProvider(provider)}</span>
          </>
        )}
      </button>
      {menu && (
        <Menu
          label="Model"
          className="status-menu"
          anchor={menu}
          entries={entriesOf(used, actions)}
          onClose={() => setMenu(null)}
        />
      )}
    </>
  );
}

const entriesOf = ({ model, provider }: Used, actions: ModelActions): MenuEntry[] => [
  { id: 'model', heading: model },
  ...(provider === '' ? [] : [{ id: 'provider', heading: provider }]),
  { id: 'line', separator: true },
  { id: 'choose', label: 'Choose a model…', icon: 'settings', onSelect: actions.chooseModel },
  { id: 'set-up', label: 'Set up a provider…', icon: 'plug', onSelect: actions.showProviders },
];
