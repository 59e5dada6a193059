import type { HostPort, SecretStore } from '../core/host-port';

/** What the command line lends: secrets alone. Approvals are asked by the command that runs. */
export const cliHostPort = (secrets: SecretStore): HostPort => ({
  kind: 'cli',
  secrets,
  pickFolder: null,
  openExternal: null,
  revealInFileManager: null,
  trash: null,
  notify: null,
  approvalsChanged: null,
});
