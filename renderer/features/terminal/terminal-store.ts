import type { Client } from '../../../shared/contract/contract';
import type { TerminalInfo } from '../../../shared/contract/terminal';
import { createStore } from '../../lib/store';

export interface TerminalsState {
  list: readonly TerminalInfo[];
  activeId: string | null;
  /** The host has told its list at least once. */
  loaded: boolean;
}

export const terminalsStore = createStore<TerminalsState>({ list: [], activeId: null, loaded: false });

/** Takes over the host's list; the active terminal stays while it exists, else its left neighbour follows. */
export function withList(state: TerminalsState, list: readonly TerminalInfo[]): TerminalsState {
  if (list.some(({ id }) => id === state.activeId)) return { ...state, list, loaded: true };
  const before = state.list.findIndex(({ id }) => id === state.activeId);
  const next = list[Math.max(0, Math.min(before - 1, list.length - 1))] ?? list.at(-1);
  return { list, activeId: next?.id ?? null, loaded: true };
}

export const selectTerminal = (id: string): void =>
  terminalsStore.update((state) => ({ ...state, activeId: id }));

/** Keeps the store equal to the host's list until the returned function is called. */
export function followTerminals(client: Client): () => void {
  return client.terminal.changed.subscribe(null, (list) =>
    terminalsStore.update((state) => withList(state, list)),
  );
}

/** A size to start with; the view corrects it as soon as it knows its cells. */
const START_CELLS = { cols: 80, rows: 12 };

export async function openTerminal(client: Client): Promise<void> {
  const info = await client.terminal.open(START_CELLS);
  terminalsStore.update((state) => ({
    ...state,
    list: state.list.some(({ id }) => id === info.id) ? state.list : [...state.list, info],
    activeId: info.id,
  }));
}
