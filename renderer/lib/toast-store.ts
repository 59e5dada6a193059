import { toErrorShape } from '../../shared/error';
import { createStore } from './store';

export interface ToastAction {
  label: string;
  run: () => void;
}

export interface ToastEntry {
  id: number;
  tone: 'info' | 'ok' | 'warn' | 'error';
  title: string;
  text: string;
  actions: readonly ToastAction[];
  /** Epoch milliseconds. */
  at: number;
  /** False once dismissed or timed out; the list of notices keeps it. */
  shown: boolean;
}

const KEPT = 50;
/** A toast without actions leaves after this; warnings, errors and toasts with actions stay until dismissed. */
export const TOAST_MS = 6000;

/** All notices of this window, oldest first, at most 50. */
export const toastStore = createStore<readonly ToastEntry[]>([]);
let lastId = 0;

export function dismissToast(id: number): void {
  toastStore.update((toasts) =>
    toasts.map((toast) => (toast.id === id ? { ...toast, shown: false } : toast)),
  );
}

type NewToast = Pick<ToastEntry, 'tone' | 'title'> & Partial<Pick<ToastEntry, 'text' | 'actions'>>;

/** Shows a notice at the corner of the editor; the same title and text that already stands there is not repeated. */
export function pushToast({ tone, title, text = '', actions = [] }: NewToast): number {
  const same = toastStore.get().find((toast) => toast.shown && toast.title === title && toast.text === text);
  if (same) return same.id;
  lastId += 1;
  const id = lastId;
  const toast: ToastEntry = { id, tone, title, text, actions, at: Date.now(), shown: true };
  toastStore.update((toasts) => [...toasts, toast].slice(-KEPT));
  const stays = actions.length > 0 || tone === 'error' || tone === 'warn';
  if (!stays) setTimeout(() => dismissToast(id), TOAST_MS);
  return id;
}

/** Shows a failure that no pane can show in its place. Cancelled work is no failure. */
export function toastError(error: unknown, title?: string): void {
  const shape = toErrorShape(error);
  if (shape.code === 'cancelled') return;
  const lines = [title === undefined ? undefined : shape.message, shape.hint].filter(
    (line) => line !== undefined,
  );
  pushToast({ tone: 'error', title: title ?? shape.message, text: lines.join(' ') });
}
