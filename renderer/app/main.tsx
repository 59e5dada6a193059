// First of all: it must run before any schema is made.
import '../lib/no-eval';
import { createRoot } from 'react-dom/client';
import type { Bridge } from '../../shared/contract/names';
import { createClient } from '../lib/client';
import { ClientProvider } from '../lib/client-context';
import { createElectronTransport } from '../lib/transport-electron';
import { createWebTransport } from '../lib/transport-web';
import '../ui/base.css';
import { connect } from './connect';
import { connectionStore } from './connection-store';
import { Shell } from './shell';

declare global {
  interface Window {
    /** Put there by the preload script; a page in a browser has none. */
    lathe?: Bridge;
  }
}

const transport = window.lathe ? createElectronTransport(window.lathe) : createWebTransport();
connectionStore.set(transport.status.get());
transport.status.subscribe(() => connectionStore.set(transport.status.get()));

const client = createClient(transport);
connect(client);

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <ClientProvider client={client}>
      <Shell />
    </ClientProvider>,
  );
}
