/** What was sent before, oldest first, and where the user is in it. `at` counts from the newest, null = not in it. */
export interface HistoryState {
  readonly entries: readonly string[];
  readonly at: number | null;
  /** What was in the box before the history was entered. */
  readonly draft: string;
}

/** Enough to find last week's message; the whole list stays far below what the host stores per value. */
const KEPT = 100;
const MAX_CHARS = 2000;

export const emptyHistory: HistoryState = { entries: [], at: null, draft: '' };

/** Adds a sent message; repeating the newest one adds nothing, very long ones are not kept. */
export function addEntry(entries: readonly string[], text: string): readonly string[] {
  if (text.length > MAX_CHARS || text.trim() === '' || entries.at(-1) === text) return entries;
  return [...entries.filter((entry) => entry !== text), text].slice(-KEPT);
}

export const currentEntry = (state: HistoryState): string | null =>
  state.at === null ? null : (state.entries.at(-1 - state.at) ?? null);

/** One message further back; null when there is none. `text` is what the box holds now. */
export function olderEntry(state: HistoryState, text: string): HistoryState | null {
  const at = state.at === null ? 0 : state.at + 1;
  if (at >= state.entries.length) return null;
  return { ...state, at, draft: state.at === null ? text : state.draft };
}

/** One message further on; after the newest one the draft comes back. Null when not in the history. */
export function newerEntry(state: HistoryState): HistoryState | null {
  if (state.at === null) return null;
  return { ...state, at: state.at === 0 ? null : state.at - 1 };
}

export const leaveHistory = (state: HistoryState): HistoryState => ({ ...state, at: null });

/** What the box shows in a state. */
export const historyText = (state: HistoryState): string => currentEntry(state) ?? state.draft;

/** "hist 3/5": the newest message is the last of the count; null outside. */
export function historyPlace(state: HistoryState): string | null {
  return state.at === null ? null : `hist ${state.entries.length - state.at}/${state.entries.length}`;
}

/** Up and Down belong to the history only where the caret could go no further in that direction. */
export function historyKey(
  key: string,
  box: { text: string; start: number; end: number },
  browsing: boolean,
): 'older' | 'newer' | null {
  if (box.start !== box.end) return null;
  const firstLine = !box.text.slice(0, box.start).includes('\n');
  const lastLine = !box.text.slice(box.end).includes('\n');
  if (key === 'ArrowUp' && firstLine && (browsing || box.start === 0)) return 'older';
  if (key === 'ArrowDown' && lastLine && browsing) return 'newer';
  return null;
}
