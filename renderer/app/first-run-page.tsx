import { overlayStore, pageStore } from './overlay-store';
import { Pane } from './pane';
import { FirstRun } from './panes';
import { registry } from './registry';
import { Settings } from './settings-host';
import { useStore } from '../lib/store';

const setUpProvider = (providerId: string | null): void =>
  overlayStore.set({ kind: 'providers', providerId });

/** What the window shows while no project is open. */
export function FirstRunPage() {
  const page = useStore(pageStore);
  return (
    <main className="first-page">
      {page === 'settings' ? (
        <Pane name="Settings">
          <Settings onClose={() => pageStore.set('editor')} onProviderSetup={setUpProvider} />
        </Pane>
      ) : (
        <Pane name="Welcome">
          <FirstRun onOpenFolder={() => registry.run('project.openFolder')} onProviderSetup={setUpProvider} />
        </Pane>
      )}
    </main>
  );
}
