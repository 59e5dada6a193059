import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { AppError } from '../../../shared/error';

type Env = Readonly<Record<string, string | undefined>>;

function usualFolder(env: Env, platform: NodeJS.Platform, home: string): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Lathe');
  if (platform === 'win32') return join(env.APPDATA ?? join(home, 'AppData', 'Roaming'), 'Lathe');
  return join(env.XDG_DATA_HOME ?? join(home, '.local', 'share'), 'lathe');
}

/** Where Lathe keeps everything: `LATHE_HOME`, else the operating system's usual place for application data. */
export function dataDirPath(
  env: Env = process.env,
  platform: NodeJS.Platform = process.platform,
  home: string = homedir(),
): string {
  const chosen = env.LATHE_HOME?.trim() ?? '';
  return resolve(chosen === '' ? usualFolder(env, platform, home) : chosen);
}

/**
 * {@link dataDirPath}, created for its user alone when missing. The mode of a folder that exists is left as it is.
 *
 * @throws AppError `io_failed` when it can't be created
 */
export function ensureDataDir(env: Env = process.env): string {
  const path = dataDirPath(env);
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new AppError('io_failed', `The data folder ${path} can't be created.`, {
      hint: 'Check the permissions of its parent, or set LATHE_HOME to another folder.',
      cause: error,
      detail: { path },
    });
  }
  return path;
}
