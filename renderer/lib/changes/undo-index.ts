import type { CallView, ItemView } from '../../../shared/model/session-view';

export type UndoItem = Extract<ItemView, { kind: 'undo' }>;

/** What of a session's file changes is taken back now, read off its items. */
export interface UndoIndex {
  /** Turns that changed files, in order. */
  readonly changedTurns: ReadonlySet<string>;
  /** The undo that a turn, or a call, stands under now. */
  readonly turns: ReadonlyMap<string, UndoItem>;
  readonly calls: ReadonlyMap<string, UndoItem>;
  /** Keys of undo items that another one took back, with that one. */
  readonly takenBackBy: ReadonlyMap<string, UndoItem>;
  /** `editKey`s of single files of a call that are taken back. */
  readonly edits: ReadonlySet<string>;
}

export const editKey = (callId: string, path: string): string => `${callId}\0${path}`;

/** The paths that a call changed and that somebody may take back. */
export function changedPaths(call: CallView): string[] {
  const paths = call.diffs.filter(({ reverted }) => !reverted).map(({ diff }) => diff.path);
  return [...new Set([...paths, ...(call.changed?.files ?? []).map(({ path }) => path)])];
}

const didChange = (call: CallView): boolean =>
  (call.state === 'success' || call.state === 'error' || call.state === 'cancelled') &&
  (call.diffs.length > 0 || (call.changed?.files.length ?? 0) + (call.changed?.more ?? 0) > 0);

interface Known {
  callId: string;
  turnId: string;
  paths: readonly string[];
}

const isBack = ({ undo: { cause } }: UndoItem): boolean => cause === 'undo' || cause === 'restore';

/** Undo and redo of the same thing name the same target; what has none is told apart by its words. */
function targetKey({ undo }: UndoItem): string {
  const { targetTurnId, targetCallId, label } = undo;
  if (targetTurnId === null && targetCallId === null) return `label ${label}`;
  return `${targetTurnId ?? ''} ${targetCallId ?? ''}`;
}

/** The calls that an undo reaches, of those before it: one call, a turn's, or (restore) those of a turn and all after it. */
function reached({ undo }: UndoItem, isRestore: boolean, calls: readonly Known[]): readonly Known[] {
  const { targetCallId, targetTurnId } = undo;
  if (targetCallId !== null) return calls.filter(({ callId }) => callId === targetCallId);
  if (targetTurnId === null) return [];
  if (!isRestore) return calls.filter(({ turnId }) => turnId === targetTurnId);
  const from = calls.findIndex(({ turnId }) => turnId === targetTurnId);
  return from < 0 ? [] : calls.slice(from);
}

/** Whether the undo has written this path; beyond the files that are listed it is taken for granted. */
function wrote({ undo }: UndoItem, path: string): boolean {
  const file = undo.files.find((entry) => entry.path === path);
  if (!file) return undo.more > 0 && !undo.conflicts.some((conflict) => conflict.path === path);
  return file.outcome === 'restored' || file.outcome === 'merged' || file.outcome === 'unchanged';
}

/** Reads the items in order; pure. */
export function undoIndex(items: readonly ItemView[]): UndoIndex {
  const changedTurns = new Set<string>();
  const turns = new Map<string, UndoItem>();
  const callsBack = new Map<string, UndoItem>();
  const takenBackBy = new Map<string, UndoItem>();
  const edits = new Set<string>();
  const calls: Known[] = [];
  const last = new Map<string, UndoItem>();

  const markTurns = (item: UndoItem, isRestore: boolean): void => {
    if (item.undo.targetCallId !== null || item.undo.setId === null) return;
    for (const turnId of new Set(reached(item, isRestore, calls).map((call) => call.turnId))) {
      if (isBack(item)) turns.set(turnId, item);
      else turns.delete(turnId);
    }
  };
  const markCalls = (item: UndoItem, isRestore: boolean): void => {
    for (const { callId, paths } of reached(item, isRestore, calls)) {
      if (!isBack(item)) callsBack.delete(callId);
      else if (item.undo.targetCallId !== null && item.undo.setId !== null) callsBack.set(callId, item);
      for (const path of paths.filter((each) => wrote(item, each))) {
        if (isBack(item)) edits.add(editKey(callId, path));
        else edits.delete(editKey(callId, path));
      }
    }
  };
  const read = (item: UndoItem): void => {
    const { cause, setId } = item.undo;
    if (cause === 'reject' || cause === 'resolve') return;
    const key = targetKey(item);
    const before = last.get(key);
    if (before && isBack(before) !== isBack(item)) takenBackBy.set(before.key, item);
    const isRestore = cause === 'restore' || (cause === 'redo' && before?.undo.cause === 'restore');
    markTurns(item, isRestore);
    markCalls(item, isRestore);
    if (setId !== null) last.set(key, item);
  };

  for (const item of items) {
    if (item.kind === 'undo') read(item);
    if (item.kind !== 'step') continue;
    for (const call of item.calls.filter((each) => didChange(each) || each.child !== undefined)) {
      // A subagent's changes are in its own session; its turn may have some.
      changedTurns.add(item.turnId);
      calls.push({ callId: call.callId, turnId: item.turnId, paths: changedPaths(call) });
    }
  }
  return { changedTurns, turns, calls: callsBack, takenBackBy, edits };
}

const known = new WeakMap<readonly ItemView[], UndoIndex>();

/** The index of these items, worked out once for each list. */
export function undoIndexOf(items: readonly ItemView[]): UndoIndex {
  const index = known.get(items) ?? undoIndex(items);
  known.set(items, index);
  return index;
}

/** The newest turn whose changes are not taken back; null when there is none. */
export function lastUndoable(items: readonly ItemView[]): string | null {
  const { changedTurns, turns } = undoIndexOf(items);
  return [...changedTurns].findLast((turnId) => !turns.has(turnId)) ?? null;
}

/** The newest undo that can be taken back; null when there is none. */
export function lastRedoable(items: readonly ItemView[]): UndoItem | null {
  const { takenBackBy } = undoIndexOf(items);
  const back = items.filter((item): item is UndoItem => item.kind === 'undo' && isBack(item));
  return back.findLast(({ key, undo }) => undo.setId !== null && !takenBackBy.has(key)) ?? null;
}
