import type { Client } from '../../shared/contract/contract';
import { Settings, type SettingKey, type SettingsState } from '../../shared/contract/settings';
import { createStore, useStore } from './store';

/** Settings as the host has them; the defaults until the first answer. */
export const settingsStore = createStore<SettingsState>({
  values: Settings.parse({}),
  path: '',
  problems: [],
});

/** Keeps `settingsStore` equal to the host's settings until the returned function is called. */
export function connectSettings(
  client: Pick<Client, 'settings'>,
  onError: (error: unknown) => void,
): () => void {
  client.settings.get(null).then(settingsStore.set, onError);
  return client.settings.changed.subscribe(null, settingsStore.set);
}

/** One setting's value; the component renders again when this value changes. */
export function useSetting<K extends SettingKey>(key: K): Settings[K] {
  return useStore(settingsStore, (state) => state.values[key]);
}
