import { dialog, type BrowserWindow, type MessageBoxOptions, type OpenDialogOptions } from 'electron';

/** The window that a dialog belongs to, when there is one. */
export type Parent = () => BrowserWindow | null;

/** A message box on the window, or by itself when there is none. */
export async function showBox(parent: BrowserWindow | null, options: MessageBoxOptions): Promise<number> {
  // noLink: on Windows buttons stay buttons, so that all answers weigh the same.
  const plain = { noLink: true, ...options };
  const { response } = await (parent ? dialog.showMessageBox(parent, plain) : dialog.showMessageBox(plain));
  return response;
}

/** The system's folder picker; null when it was cancelled. */
export async function pickFolder(parent: BrowserWindow | null): Promise<string | null> {
  const options: OpenDialogOptions = {
    title: 'Open folder',
    properties: ['openDirectory', 'createDirectory'],
  };
  const { canceled, filePaths } = await (parent
    ? dialog.showOpenDialog(parent, options)
    : dialog.showOpenDialog(options));
  return canceled ? null : (filePaths[0] ?? null);
}

/** Asks before a window with unsaved text closes; true = close it. */
export async function askToClose(parent: BrowserWindow, dirtyFiles: number): Promise<boolean> {
  const message = dirtyFiles === 1 ? '1 file is not saved.' : `${dirtyFiles} files are not saved.`;
  const response = await showBox(parent, {
    type: 'warning',
    message,
    detail:
      'The text is kept and is there again when this project is opened. The files on disk stay as they are.',
    buttons: ['Close anyway (unsaved text is kept)', 'Cancel'],
    defaultId: 1,
    cancelId: 1,
  });
  return response === 0;
}

/** Asks before a link leaves the app; the host is named, since link texts can say anything (sec-H05). */
export async function askToOpenLink(parent: BrowserWindow | null, url: URL): Promise<boolean> {
  const mail = url.protocol === 'mailto:';
  const response = await showBox(parent, {
    type: 'question',
    message: mail ? 'Write a mail to this address?' : `Open ${url.host} in your browser?`,
    detail: url.href,
    buttons: ['Open', 'Cancel'],
    defaultId: 0,
    cancelId: 1,
  });
  return response === 0;
}

/** Says that the page died; true = load it again. */
export async function askAfterCrash(parent: BrowserWindow, reason: string): Promise<boolean> {
  const response = await showBox(parent, {
    type: 'error',
    message: 'The window stopped working.',
    detail: `Reason: ${reason}. Questions that were open are answered with “Deny”; nothing that is stored is lost.`,
    buttons: ['Reload', 'Close the window'],
    defaultId: 0,
    cancelId: 1,
  });
  return response === 0;
}
