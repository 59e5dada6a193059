import { performance } from 'node:perf_hooks';

/** How long nothing much may happen before it counts as idle. */
const LOOK_MS = 20;
/** Share of that time in which the event loop may have been at work. */
const BUSY = 0.25;
/** Work is not put off longer than this. */
const LIMIT_MS = 500;

/**
 * Does something that nobody waits for when this process has nothing else to do, at the latest after half a second. It
 * does not keep the process alive.
 *
 * @returns a function that takes it back
 */
export function whenIdle(work: () => void): () => void {
  const last = performance.now() + LIMIT_MS;
  let before = performance.eventLoopUtilization();
  const look = (): void => {
    const { utilization } = performance.eventLoopUtilization(before);
    if (utilization <= BUSY || performance.now() >= last) {
      clearInterval(timer);
      work();
    }
    before = performance.eventLoopUtilization();
  };
  const timer = setInterval(look, LOOK_MS).unref();
  return () => clearInterval(timer);
}
