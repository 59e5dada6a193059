import { EXIT } from './exit-code';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export interface Interrupts {
  /** Fires on the first signal. */
  readonly signal: AbortSignal;
  release(): void;
}

/** The first signal asks for an orderly end, the second ends the process at once. */
export function watchInterrupts(): Interrupts {
  const abort = new AbortController();
  const onSignal = () => {
    if (abort.signal.aborted) process.exit(EXIT.interrupted);
    abort.abort();
  };
  for (const name of SIGNALS) process.on(name, onSignal);
  return {
    signal: abort.signal,
    release: () => SIGNALS.forEach((name) => process.off(name, onSignal)),
  };
}
