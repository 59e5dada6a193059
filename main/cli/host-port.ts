import { bareHostPort, type HostPort, type SecretStore } from '../core/host-port';

/** What the command line lends: secrets alone. Approvals are asked by the command that runs. */
export const cliHostPort = (secrets: SecretStore): HostPort => bareHostPort('cli', secrets);
