import { shell, type BrowserWindow } from 'electron';
import { AppError } from '../../shared/error';
import type { PendingApproval } from '../../shared/model/approval';
import type { HostPort, SecretStore } from '../core/host-port';
import { askToOpenLink, pickFolder } from './dialogs';
import type { Notice } from './notifications';

const LINK_SCHEMES = new Set(['http:', 'https:', 'mailto:']);
const MAX_LINK_CHARS = 2048;

export interface ElectronHostOptions {
  secrets: SecretStore;
  window: () => BrowserWindow | null;
  notify: (notice: Notice) => void;
  approvalsChanged: (pending: readonly PendingApproval[]) => void;
}

/**
 * Hands a link to the system after the user saw where it leads. Vetted a second time: what the system does with other
 * schemes is out of our hands (sec-H05).
 */
async function openLink(window: BrowserWindow | null, text: string): Promise<void> {
  const url = text.length <= MAX_LINK_CHARS && URL.canParse(text) ? new URL(text) : null;
  if (!url || !LINK_SCHEMES.has(url.protocol) || url.username !== '' || url.password !== '') {
    throw new AppError('bad_argument', 'This link can’t be opened: only http, https and mailto links are.');
  }
  if (await askToOpenLink(window, url)) await shell.openExternal(url.href);
}

/** What a desktop lends to the core: all of it. */
export const electronHostPort = (options: ElectronHostOptions): HostPort => ({
  kind: 'electron',
  secrets: options.secrets,
  pickFolder: () => pickFolder(options.window()),
  openExternal: (url) => openLink(options.window(), url),
  revealInFileManager: async (absolutePath) => shell.showItemInFolder(absolutePath),
  trash: (absolutePath) => shell.trashItem(absolutePath),
  notify: options.notify,
  approvalsChanged: options.approvalsChanged,
});
