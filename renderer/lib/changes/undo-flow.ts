import type { Client } from '../../../shared/contract/contract';
import type { UndoTarget } from '../../../shared/contract/changes';
import type { ChangeSetId, UndoResult } from '../../../shared/model/change';
import { createStore } from '../store';
import { dismissToast, pushToast, toastError, type ToastAction } from '../toast-store';
import { windowStore } from '../window-store';
import { inDoubt, isNothing, resultWords } from './outcome-words';

export type UndoClient = Pick<Client, 'changes'>;

export interface UndoAsk {
  /** What is taken back, as the end of "Undo …": "turn", "this call". */
  what: string;
  preview: UndoResult;
  /** Does it; rejects with what the host says. */
  run(): Promise<void>;
}

/** An undo that somebody should look at before it is done. */
export const undoAskStore = createStore<UndoAsk | null>(null);

let lastToast: number | null = null;

/** The notice of an undo is about the newest one only: an older "Redo" would not mean what it says any more. */
function tell(tone: 'ok' | 'warn' | 'info', title: string, text: string, actions: ToastAction[]): void {
  if (lastToast !== null) dismissToast(lastToast);
  lastToast = pushToast({ tone, title, text, actions });
}

/** Opens what is in conflict in the editor's place. */
export function showConflict(id: string): void {
  if (lastToast !== null) dismissToast(lastToast);
  windowStore.conflict.set(id);
}

/** Says how an undo or redo came out, with what can be done next. */
export function tellResult(client: UndoClient, title: string, result: UndoResult, canRedo = true): void {
  const [conflict] = result.conflicts;
  const { setId } = result;
  const actions: ToastAction[] = [];
  if (canRedo && setId !== null) actions.push({ label: 'Redo', run: () => void redo(client, setId) });
  if (conflict) actions.push({ label: 'Resolve…', run: () => showConflict(conflict.id) });
  if (isNothing(result)) return tell('info', 'Nothing was left to take back', '', []);
  const isDone = result.files.some(({ outcome }) => outcome === 'restored' || outcome === 'merged');
  const isWhole = !result.files.some(({ outcome }) => outcome === 'conflict' || outcome === 'not_kept');
  tell(
    isWhole ? 'ok' : 'warn',
    isDone ? title : 'No file could be taken back',
    upperFirst(`${resultWords(result)}.`),
    actions,
  );
}

const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * Takes changes back: at once where nothing is in doubt, else after a look at what would become of each file. Failures
 * become notices.
 *
 * @param what as the end of "Undo …"
 */
export async function undo(client: UndoClient, target: UndoTarget, what: string): Promise<void> {
  const run = async (): Promise<void> =>
    tellResult(client, `Undone: ${what}`, await client.changes.undo(target));
  try {
    const preview = await client.changes.previewUndo(target);
    if (isNothing(preview)) tell('info', 'Nothing was left to take back', '', []);
    else if (inDoubt(preview)) undoAskStore.set({ what, preview, run });
    else await run();
  } catch (error) {
    toastError(error, 'The changes were not undone');
  }
}

/** Takes an undo back. Failures become notices. */
export async function redo(client: UndoClient, setId: ChangeSetId): Promise<void> {
  try {
    const result = await client.changes.redo({ setId });
    tellResult(client, 'Done again', result, false);
  } catch (error) {
    toastError(error, 'The changes were not done again');
  }
}
