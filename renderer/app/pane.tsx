import type { ReactNode } from 'react';
import { useClient } from '../lib/client-context';
import { projectStore } from '../lib/project-store';
import { useStore } from '../lib/store';
import { PaneBoundary } from './pane-boundary';
import { reportError } from './report-error';

interface PaneProps {
  name: string;
  children: ReactNode;
}

/** A part of the window whose failure stays inside it. */
export function Pane({ name, children }: PaneProps) {
  const client = useClient();
  return (
    <PaneBoundary name={name} onError={(error, stack) => reportError(client, error, stack)}>
      {children}
    </PaneBoundary>
  );
}

/** A pane that works on the project: it waits, its landmark standing, until the host has said which one is open. */
export function ProjectPane(props: PaneProps) {
  const ready = useStore(projectStore, (project) => project !== undefined && project !== null);
  return ready ? <Pane {...props} /> : null;
}
