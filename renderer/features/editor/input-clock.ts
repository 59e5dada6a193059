let lastInputAt = 0;

/**
 * True when a key or a button was pressed after `at` (as `performance.now()` counts). A file that took its time to load
 * must not take the focus from what the user went on to.
 */
export const inputSince = (at: number): boolean => lastInputAt > at;

/** Notes every press until the returned function is called. */
export function followInput(): () => void {
  const note = (): void => {
    lastInputAt = performance.now();
  };
  window.addEventListener('keydown', note, true);
  window.addEventListener('pointerdown', note, true);
  return () => {
    window.removeEventListener('keydown', note, true);
    window.removeEventListener('pointerdown', note, true);
  };
}
