import type { CancelSignal } from '../../shared/contract/define';

/** Keeps a subscription open until its client leaves, then detaches everything that feeds it. */
export function untilAborted(signal: CancelSignal, ...detach: (() => void)[]): Promise<void> {
  const end = (): void => {
    for (const stop of detach) stop();
  };
  if (signal.aborted) {
    end();
    return Promise.resolve();
  }
  return new Promise((resolve) => {
    signal.addEventListener(
      'abort',
      () => {
        end();
        resolve();
      },
      { once: true },
    );
  });
}
