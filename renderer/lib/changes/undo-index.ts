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
  /** Conflicts of files that were resolved after them. */
  readonly resolved: ReadonlySet<string>;
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

/** What an undo is about. A redo is about what the undo was that it takes back. */
interface Aim {
  turnId: string | null;
  callId: string | null;
  isRestore: boolean;
  /** The same for an undo and a redo of the same thing; what has no target is told apart by its words. */
  key: string;
}

function aimOf(origin: UndoItem): Aim {
  const { targetTurnId: turnId, targetCallId: callId, label, cause } = origin.undo;
  const key = turnId === null && callId === null ? `label ${label}` : `${turnId ?? ''} ${callId ?? ''}`;
  return { turnId, callId, isRestore: cause === 'restore', key };
}

/** The calls that an undo reaches, of those before it: one call, a turn's, or (restore) those of a turn and all after it. */
function reached({ callId, turnId, isRestore }: Aim, calls: readonly Known[]): readonly Known[] {
  if (callId !== null) return calls.filter((call) => call.callId === callId);
  if (turnId === null) return [];
  if (!isRestore) return calls.filter((call) => call.turnId === turnId);
  const from = calls.findIndex((call) => call.turnId === turnId);
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
  const bySet = new Map<string, UndoItem>();
  const open: UndoItem['undo']['conflicts'][number][] = [];
  const resolved = new Set<string>();

  const markTurns = (item: UndoItem, aim: Aim): void => {
    if (aim.callId !== null || item.undo.setId === null) return;
    for (const turnId of new Set(reached(aim, calls).map((call) => call.turnId))) {
      if (isBack(item)) turns.set(turnId, item);
      else turns.delete(turnId);
    }
  };
  const markCalls = (item: UndoItem, aim: Aim): void => {
    for (const { callId, paths } of reached(aim, calls)) {
      if (!isBack(item)) callsBack.delete(callId);
      else if (aim.callId !== null && item.undo.setId !== null) callsBack.set(callId, item);
      for (const path of paths.filter((each) => wrote(item, each))) {
        if (isBack(item)) edits.add(editKey(callId, path));
        else edits.delete(editKey(callId, path));
      }
    }
  };
  const read = (item: UndoItem): void => {
    const { cause, setId, redoes } = item.undo;
    if (setId !== null) bySet.set(setId, item);
    const origin = redoes === undefined ? undefined : bySet.get(redoes);
    if (origin) takenBackBy.set(origin.key, item);
    if (cause === 'resolve') {
      const paths = new Set<string>(item.undo.files.map(({ path }) => path));
      for (const { id, path } of open) if (paths.has(path)) resolved.add(id);
    }
    open.push(...item.undo.conflicts);
    if (cause === 'reject' || cause === 'resolve') return;
    const aim = aimOf(origin ?? item);
    const before = last.get(aim.key);
    // What redid a thing is taken back by the next undo of that thing.
    if (before && !isBack(before) && isBack(item)) takenBackBy.set(before.key, item);
    markTurns(item, aim);
    markCalls(item, aim);
    if (setId !== null) last.set(aim.key, item);
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
  return { changedTurns, turns, calls: callsBack, takenBackBy, resolved, edits };
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
