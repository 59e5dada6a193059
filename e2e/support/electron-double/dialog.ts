import { isControlled, onControl, tell } from './control';
import { guarded } from './guarded';
import { requireReady } from './lifecycle';

interface BoxOptions {
  message: string;
  buttons?: string[];
  cancelId?: number;
  signal?: AbortSignal;
}

const waiting = new Map<number, (answer: unknown) => void>();
let lastId = 0;

onControl('dialog.answer', (argument) => {
  const { id, answer } = argument as { id: number; answer: unknown };
  const settle = waiting.get(id);
  if (!settle) throw new Error(`No dialog ${id} is open.`);
  settle(answer);
});

/** Shows a dialog to the test and waits for its answer; a dialog that nobody can answer is an error, not a guess. */
function ask(
  kind: 'message' | 'open',
  options: object,
  signal?: AbortSignal,
  cancelled?: unknown,
): Promise<unknown> {
  requireReady('dialog');
  if (!isControlled())
    throw new Error('Electron double: a dialog was shown and no test is there to answer it.');
  lastId += 1;
  const id = lastId;
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const settle = (answer: unknown): void => {
    if (!waiting.delete(id)) return;
    tell({ event: 'dialog-closed', id });
    resolve(answer);
  };
  waiting.set(id, settle);
  signal?.addEventListener('abort', () => settle(cancelled), { once: true });
  tell({ event: 'dialog', id, kind, options: { ...options, signal: undefined } });
  return promise;
}

/** The window comes first and may be left out. */
const optionsOf = <T>(args: unknown[]): T => args.at(-1) as T;

/** https://www.electronjs.org/docs/latest/api/dialog */
export const dialog = guarded('dialog', {
  /** `signal`: "the message box will behave as if it was cancelled by the user", that is answer `cancelId`. */
  async showMessageBox(...args: unknown[]): Promise<{ response: number; checkboxChecked: boolean }> {
    const { signal, ...options } = optionsOf<BoxOptions>(args);
    if (options.message === '') throw new TypeError('message must not be empty');
    const response = await ask('message', options, signal, options.cancelId ?? 0);
    return { response: Number(response), checkboxChecked: false };
  },
  async showOpenDialog(...args: unknown[]): Promise<{ canceled: boolean; filePaths: string[] }> {
    const filePaths = (await ask('open', optionsOf<object>(args))) as string[];
    return { canceled: filePaths.length === 0, filePaths };
  },
  /** "Displays a modal dialog that shows an error message"; before `ready` it goes to stderr on Linux. */
  showErrorBox(title: string, content: string): void {
    console.error(`Electron double: ${title}\n${content}`);
    tell({ event: 'error-box', title, content });
  },
});
