/**
 * What `promise` comes to without another turn of the event loop, else `'later'`: whatever waits for a timer, a disk or a
 * socket is late, on however slow a machine.
 */
export function withinTick<T>(promise: Promise<T>): Promise<T | 'later'> {
  return Promise.race([promise, new Promise<'later'>((resolve) => setImmediate(resolve, 'later'))]);
}
