import path from 'node:path';
import { version } from '../../package.json';
import type { CoreOptions } from '../core/core';
import type { HostPort, SecretStore } from '../core/host-port';
import { createFileSecrets } from '../core/secrets/file-secrets';
import { ensureDataDir } from '../core/settings/data-dir';
import { findAppPaths } from './app-paths';
import type { ModelFlags } from './args';
import { type Io, notice } from './io';

/** Provider keys of hosts without a keychain, under the data folder. */
const KEY_FILE = 'keys.json';

/**
 * What every command that starts the core gives it.
 *
 * @throws AppError `io_failed` when the data folder can't be made
 */
export function baseCoreOptions(
  flags: ModelFlags,
  hostPort: (secrets: SecretStore) => HostPort,
  io: Io,
): CoreOptions {
  const dataDir = ensureDataDir(io.env);
  const secrets = createFileSecrets({
    path: path.join(dataDir, KEY_FILE),
    onNotice: (text) => notice(io, text),
  });
  const { baseUrl, model, apiKey } = flags;
  return {
    dataDir,
    version,
    host: hostPort(secrets),
    assetsDir: findAppPaths().assets,
    ...(baseUrl === null || model === null
      ? {}
      : { modelOverride: { baseUrl, model, apiKey: apiKey ?? '' } }),
  };
}
