import { bareHostPort, type HostPort, type SecretStore } from '../core/host-port';

/** What the web host lends: secrets alone. The machine it runs on may be one that nobody sits at. */
export const webHostPort = (secrets: SecretStore): HostPort => bareHostPort('web', secrets);
