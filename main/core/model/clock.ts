/** Time as the retry layer sees it; tests bring their own. */
export interface Clock {
  /** Monotonic milliseconds: a change of the system time does not move it (fault-F35). */
  now(): number;
  /** Resolves after `ms`, or rejects with the signal's reason at once when it fires. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      const stop = (): void => {
        clearTimeout(timer);
        reject(signal.reason instanceof Error ? signal.reason : new DOMException('aborted', 'AbortError'));
      };
      if (signal.aborted) {
        reject(signal.reason instanceof Error ? signal.reason : new DOMException('aborted', 'AbortError'));
        return;
      }
      const timer = setTimeout(() => {
        signal.removeEventListener('abort', stop);
        resolve();
      }, ms);
      signal.addEventListener('abort', stop, { once: true });
    }),
};
