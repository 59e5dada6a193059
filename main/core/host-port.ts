import type { PendingApproval } from '../../shared/model/approval';

/** Where provider keys live: the OS keychain in Electron, a 0600 file in the web host and on the command line. */
export interface SecretStore {
  get(name: string): Promise<string | null>;
  /** @throws AppError `io_failed` when the keychain is locked or the file can't be written */
  set(name: string, value: string): Promise<void>;
  remove(name: string): Promise<void>;
  has(name: string): Promise<boolean>;
}

/** What a host must lend to the core. Every member is optional in effect: `null` means "this host can't". */
export interface HostPort {
  readonly kind: 'electron' | 'web' | 'cli';
  readonly secrets: SecretStore;
  /** Native folder picker; resolves to an absolute path, or null when the user cancelled. */
  readonly pickFolder: (() => Promise<string | null>) | null;
  /** Opens an already vetted http(s)/mailto URL in the system's browser. */
  readonly openExternal: ((url: string) => Promise<void>) | null;
  readonly revealInFileManager: ((absolutePath: string) => Promise<void>) | null;
  /** Moves to the OS trash. */
  readonly trash: ((absolutePath: string) => Promise<void>) | null;
  /** An OS notification; used when an approval waits or a turn ended and no window is visible. */
  readonly notify: ((notice: { title: string; body: string; sessionId: string | null }) => void) | null;
  /** Told on every change of the pending approvals, so that a host can show native dialogs. */
  readonly approvalsChanged: ((approvals: readonly PendingApproval[]) => void) | null;
}

/** What a host lends that has a place for secrets and nothing else. */
export const bareHostPort = (kind: HostPort['kind'], secrets: SecretStore): HostPort => ({
  kind,
  secrets,
  pickFolder: null,
  openExternal: null,
  revealInFileManager: null,
  trash: null,
  notify: null,
  approvalsChanged: null,
});
