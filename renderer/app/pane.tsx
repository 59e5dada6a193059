import type { ReactNode } from 'react';
import { useClient } from '../lib/client-context';
import { PaneBoundary } from './pane-boundary';
import { reportError } from './report-error';

/** A part of the window whose failure stays inside it. */
export function Pane({ name, children }: { name: string; children: ReactNode }) {
  const client = useClient();
  return (
    <PaneBoundary name={name} onError={(error, stack) => reportError(client, error, stack)}>
      {children}
    </PaneBoundary>
  );
}
