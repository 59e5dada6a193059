import type { Client } from '../../shared/contract/contract';
import { statusStore } from '../lib/status-store';
import { reportError } from './report-error';

interface WindowState {
  dirtyFiles: number;
  visible: boolean;
  activeSessionId: string | null;
}

const windowState = (): WindowState => ({
  dirtyFiles: statusStore.editor.get().dirtyFiles,
  visible: document.visibilityState === 'visible',
  activeSessionId: statusStore.chat.get().sessionId,
});

const same = (left: WindowState, right: WindowState): boolean =>
  left.dirtyFiles === right.dirtyFiles &&
  left.visible === right.visible &&
  left.activeSessionId === right.activeSessionId;

let free = false;

/** Lets the page go without a question: the user was asked already, and backups keep what is unsaved. */
export function leaveFreely(): void {
  free = true;
}

/**
 * Asks before unsaved text would be closed, and keeps the host's picture of the window (unsaved files, visibility,
 * session) right.
 */
export function guardWindow(client: Client): () => void {
  let sent: WindowState | null = null;
  const tell = (): void => {
    const now = windowState();
    if (sent && same(sent, now)) return;
    sent = now;
    client.app.windowState(now).catch((error: unknown) => reportError(client, error));
  };
  const onBeforeUnload = (event: BeforeUnloadEvent): void => {
    if (!free && statusStore.editor.get().dirtyFiles > 0) event.preventDefault();
  };
  tell();
  const leave = [statusStore.editor.subscribe(tell), statusStore.chat.subscribe(tell)];
  document.addEventListener('visibilitychange', tell);
  window.addEventListener('beforeunload', onBeforeUnload);
  return () => {
    for (const stop of leave) stop();
    document.removeEventListener('visibilitychange', tell);
    window.removeEventListener('beforeunload', onBeforeUnload);
  };
}
