import type { HostPort, SecretStore } from '../core/host-port';

/** What the web host lends: secrets alone. The machine it runs on may be one that nobody sits at. */
export const webHostPort = (secrets: SecretStore): HostPort => ({
  kind: 'web',
  secrets,
  pickFolder: null,
  openExternal: null,
  revealInFileManager: null,
  trash: null,
  notify: null,
  approvalsChanged: null,
});
