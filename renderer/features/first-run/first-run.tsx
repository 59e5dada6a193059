import { useState } from 'react';
import { useClient } from '../../lib/client-context';
import { keyLabel } from '../../lib/keys';
import { Button } from '../../ui/button';
import { ErrorBox } from '../../ui/error-box';
import { Choice } from './choice';
import './first-run.css';
import { ModelChoices } from './model-choices';
import { RecentProjects } from './recent-projects';

export interface FirstRunProps {
  onOpenFolder: () => void;
  onProviderSetup: (providerId: string | null) => void;
}

/** The page without a project: a folder, a model, or the tour. */
export function FirstRun({ onOpenFolder, onProviderSetup }: FirstRunProps) {
  const client = useClient();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const attempt = async (work: () => Promise<unknown>): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await work();
    } catch (reason) {
      setError(reason);
    } finally {
      setBusy(false);
    }
  };
  return (
    <section className="first-run" aria-label="Welcome">
      <h1 className="first-title">Open a folder to start</h1>
      <p className="first-lead">
        Lathe works on files on this computer. Nothing is sent anywhere until you choose a model.
      </p>
      {error !== null && <ErrorBox error={error} />}
      <ul className="choices">
        <Choice
          icon="folder-opened"
          title="Open a folder"
          text="Lathe reads and changes files only inside it"
          action={
            <Button
              variant="primary"
              size="large"
              keyHint={keyLabel('Mod+O')}
              busy={busy}
              onClick={onOpenFolder}
            >
              Open…
            </Button>
          }
        />
        <ModelChoices onProviderSetup={onProviderSetup} />
        <Choice
          icon="play"
          title="Take the offline tour"
          text="4 minutes on a sample project. Scripted, no model"
          action={
            <Button
              size="large"
              disabled={busy}
              onClick={() => void attempt(() => client.project.openTour(null))}
            >
              Start
            </Button>
          }
        />
      </ul>
      <RecentProjects onOpen={(path) => void attempt(() => client.project.open({ path }))} />
    </section>
  );
}
