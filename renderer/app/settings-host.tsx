import { registry } from './registry';
import { overlayStore } from './overlay-store';
import { SettingsPage } from './panes';

interface SettingsHostProps {
  onClose: () => void;
  onProviderSetup: (providerId: string | null) => void;
}

/** Shortcuts of the window as the list of keys shows them. */
export const listShortcuts = () =>
  registry
    .all()
    .filter((command) => (command.keys ?? []).length > 0)
    .map((command) => ({ id: command.id, title: command.title, keys: command.keys ?? [] }));

export function Settings({ onClose, onProviderSetup }: SettingsHostProps) {
  return (
    <SettingsPage
      shortcuts={listShortcuts()}
      onClose={onClose}
      onProviderSetup={onProviderSetup}
      onShowLog={() => overlayStore.set({ kind: 'log' })}
    />
  );
}
