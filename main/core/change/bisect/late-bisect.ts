import { join } from 'node:path';
import type { BisectService } from '../types';
import type { BisectOptions } from './bisect-service';
import { removeLeftOvers } from './left-overs';

/** What every search needs, and who hears of copies that stay. */
export interface LateBisectOptions extends Omit<BisectOptions, 'folder' | 'tidied'> {
  onError(error: unknown): void;
}

/** Bisect whose code is loaded by the first search; copies that dead processes left are removed at once. */
export function createLateBisect({ onError, ...options }: LateBisectOptions): BisectService {
  const folder = join(options.dataDir, 'bisect');
  const tidied = removeLeftOvers(folder).catch(onError);
  let loaded: Promise<BisectService> | null = null;
  const load = async (): Promise<BisectService> => {
    const { Bisect } = await import('./bisect-service');
    return new Bisect({ ...options, folder, tidied });
  };
  return {
    run: async (...request) => {
      loaded ??= load();
      await (await loaded).run(...request);
    },
  };
}
