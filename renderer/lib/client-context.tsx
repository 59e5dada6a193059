import { createContext, use, type ReactNode } from 'react';
import type { Client } from '../../shared/contract/contract';
import { AppError } from '../../shared/error';

const ClientContext = createContext<Client | null>(null);

export function ClientProvider({ client, children }: { client: Client; children: ReactNode }) {
  return <ClientContext value={client}>{children}</ClientContext>;
}

/**
 * The typed connection to the host. One per window; its identity never changes.
 *
 * @throws AppError `internal` outside a `ClientProvider`
 */
export function useClient(): Client {
  const client = use(ClientContext);
  if (!client) throw new AppError('internal', 'useClient was called outside a ClientProvider.');
  return client;
}
