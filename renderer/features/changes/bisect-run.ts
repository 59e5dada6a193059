import type { Client } from '../../../shared/contract/contract';
import { SessionId } from '../../../shared/model/ids';
import { createStore } from '../../lib/store';
import { NO_BISECT, nextBisect } from './bisect-state';

export interface BisectRequest {
  command: string;
  /** Null: all sessions. */
  sessionId: string | null;
  timeoutSeconds: number;
}

/** The search of this window: it goes on while one looks at something else. */
export const bisectStore = createStore(NO_BISECT);
/** What was asked for last, so that the fields still hold it when one comes back. */
export const bisectRequest = createStore<BisectRequest>({
  command: '',
  sessionId: null,
  timeoutSeconds: 300,
});

let stop: (() => void) | null = null;

/** Starts a search; one that runs is stopped first. */
export function startBisect(client: Pick<Client, 'changes'>, request: BisectRequest): void {
  stop?.();
  bisectRequest.set(request);
  bisectStore.set({ ...NO_BISECT, phase: 'running' });
  const { command, sessionId, timeoutSeconds } = request;
  const params = {
    ...{ command, timeoutSeconds },
    sessionId: sessionId === null ? null : SessionId.parse(sessionId),
  };
  stop = client.changes.bisect.subscribe(params, (message) => {
    bisectStore.update((state) => nextBisect(state, message));
    if (bisectStore.get().phase === 'done') end();
  });
}

function end(): void {
  stop?.();
  stop = null;
}

export function stopBisect(): void {
  if (stop === null) return;
  end();
  bisectStore.update((state) => ({ ...state, phase: 'stopped', copying: null }));
}
