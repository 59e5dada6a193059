import type { Client } from '../../shared/contract/contract';
import { createStore } from './store';

/** Texts of side questions that are being answered, by their id; null until the host said which there are. */
export const liveAsides = createStore<ReadonlyMap<string, string> | null>(null);

/** Keeps the answers in step with the host until the returned function is called. */
export const connectAsides = (client: Pick<Client, 'turn'>): (() => void) =>
  client.turn.asidesChanged.subscribe(null, (asides) =>
    liveAsides.set(new Map(asides.map(({ asideId, text }) => [asideId, text]))),
  );
