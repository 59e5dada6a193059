/** Waits for something that never fails; null when it does not come in time. */
export function within<T>(ms: number, work: Promise<T>): Promise<T | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms, null);
    void work.then((value) => {
      clearTimeout(timer);
      resolve(value);
    });
  });
}
