import { AppError } from '../../shared/error';
import type { ChangeServices } from './change/types';

function missing<T extends object>(name: string): T {
  return new Proxy({} as T, {
    get: () => () => {
      throw new AppError('unsupported', `${name} is not there.`);
    },
  });
}

/** The change log with everything that is built on it. */
export function createChanges(): ChangeServices {
  return {
    store: missing('The change store'),
    log: missing('The change log'),
    blobs: missing('The blob store'),
    undo: missing('Undo'),
    review: missing('Review'),
    trace: missing('Trace'),
    bisect: missing('Bisect'),
  };
}
