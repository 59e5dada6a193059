import { readFileSync } from 'node:fs';
import path from 'node:path';
import { chromium, closeChromium } from './chromium';
import { onControl } from './control';
import { doubleEvent, guarded, GuardedEmitter } from './guarded';
import { takeLock } from './instance-lock';
import { lifecycle } from './lifecycle';
import { windows } from './windows';

const EVENTS = [
  'ready',
  'before-quit',
  'will-quit',
  'quit',
  'window-all-closed',
  'activate',
  'second-instance',
  'web-contents-created',
];

const appPath = process.argv[1] ?? '.';

/** https://www.electronjs.org/docs/latest/api/app */
class DoubleApp extends GuardedEmitter {
  readonly isPackaged = false;
  readonly commandLine = guarded('app.commandLine', { removeSwitch: (_name: string) => undefined });
  private readonly paths = new Map<string, string>();
  private readonly ready = Promise.withResolvers<void>();
  private quitting = false;

  constructor() {
    super('app', EVENTS);
    windows.on('none', () => this.allClosed());
    windows.on('refused', () => (this.quitting = false));
    onControl('quit', () => this.quit());
  }

  whenReady(): Promise<void> {
    return this.ready.promise;
  }

  getAppPath(): string {
    return appPath;
  }

  getVersion(): string {
    const { version } = JSON.parse(readFileSync(path.join(appPath, 'package.json'), 'utf8')) as {
      version: string;
    };
    return version;
  }

  setPath(name: string, value: string): void {
    if (!path.isAbsolute(value)) throw new Error('Path must be absolute');
    this.paths.set(name, value);
  }

  /** "This method can only be called before app is ready." */
  enableSandbox(): void {
    if (lifecycle.isReady) throw new Error('app.enableSandbox() can only be called before app is ready');
    lifecycle.isSandboxed = true;
  }

  /** "DIRECT": Chromium's answer where the system names no proxy. */
  async resolveProxy(_url: string): Promise<string> {
    return 'DIRECT';
  }

  /** One instance per userData folder; a second one's wish arrives as the event `second-instance`. */
  requestSingleInstanceLock(additionalData: object = {}): boolean {
    const userData = this.paths.get('userData');
    if (userData === undefined) throw new Error('The Electron double locks only where userData was set.');
    return takeLock(userData, additionalData, ({ argv, cwd, data }) =>
      this.emit('second-instance', doubleEvent({}), argv, cwd, data),
    );
  }

  /**
   * "Try to close all windows. The before-quit event will be emitted first. If all windows are successfully closed, the
   * will-quit event will be emitted and by default the application will terminate."
   */
  quit(): void {
    const event = doubleEvent({});
    this.emit('before-quit', event);
    if (event.defaultPrevented) return;
    this.quitting = true;
    const open = windows.all();
    if (open.length === 0) this.terminate();
    for (const window of open) window.close();
  }

  /** "All windows will be closed immediately without asking the user". */
  exit(code = 0): void {
    void closeChromium()
      .catch((error: unknown) => console.error('Electron double:', error))
      .then(() => process.exit(code));
  }

  _launched(): void {
    lifecycle.isReady = true;
    this.emit('ready');
    this.ready.resolve();
  }

  /** "if the developer called app.quit(), […] the window-all-closed event would not be emitted." */
  private allClosed(): void {
    if (this.quitting) this.terminate();
    else if (this.listenerCount('window-all-closed') > 0) this.emit('window-all-closed');
    else this.quit();
  }

  private terminate(): void {
    const event = doubleEvent({});
    this.emit('will-quit', event);
    if (event.defaultPrevented) return;
    this.emit('quit', doubleEvent({}), 0);
    this.exit(0);
  }
}

const inner = new DoubleApp();
export const app = guarded('app', inner);

/** Called when the app's main module has run: "the app is ready" once Chromium is. */
export async function launch(): Promise<void> {
  await chromium();
  inner._launched();
}
