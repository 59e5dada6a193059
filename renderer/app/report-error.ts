import type { Client } from '../../shared/contract/contract';

/** Sends a failure of the page to the host's log; a host that can't be reached loses it, and so be it. */
export function reportError(client: Client, error: unknown, stack?: string): void {
  const message = (error instanceof Error ? error.message : String(error)).slice(0, 4000);
  const trace = (stack ?? (error instanceof Error ? error.stack : undefined))?.slice(0, 20_000);
  client.app
    .reportError(trace === undefined ? { message } : { message, stack: trace })
    .catch(() => undefined);
}

/** Catches what no pane caught, until the returned function is called. */
export function watchErrors(client: Client): () => void {
  const onError = (event: ErrorEvent): void => reportError(client, event.error ?? event.message);
  const onRejection = (event: PromiseRejectionEvent): void => reportError(client, event.reason);
  window.addEventListener('error', onError);
  window.addEventListener('unhandledrejection', onRejection);
  return () => {
    window.removeEventListener('error', onError);
    window.removeEventListener('unhandledrejection', onRejection);
  };
}
