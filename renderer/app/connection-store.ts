import { createStore } from '../lib/store';

export type ConnectionStatus = 'connecting' | 'open' | 'lost' | 'unauthorized';

export const connectionStore = createStore<ConnectionStatus>('connecting');
