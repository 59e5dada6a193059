import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { AppError } from '../../shared/error';

export interface AppPaths {
  /** The tour project and the like. */
  assets: string;
  /** The built window. */
  renderer: string;
}

/**
 * Where the package keeps its files. Code may be bundled into any depth of dist/, so its root is looked for: the nearest
 * folder above that holds both package.json and assets/.
 *
 * @throws AppError `internal` when the package is incomplete
 */
export function findAppPaths(start = path.dirname(fileURLToPath(import.meta.url))): AppPaths {
  for (let folder = start; ; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, 'package.json')) && existsSync(path.join(folder, 'assets'))) {
      return { assets: path.join(folder, 'assets'), renderer: path.join(folder, 'dist', 'renderer') };
    }
    if (folder === path.dirname(folder)) break;
  }
  throw new AppError('internal', `Lathe's own files were not found above ${start}.`, {
    hint: 'Install Lathe again.',
  });
}
