import { app, BrowserWindow, screen, type WebContents } from 'electron';
import { APP_URL } from './app-page';
import { askAfterCrash, askToClose } from './dialogs';
import { windowOptions } from './window-options';
import { readWindowState, saveWindowState } from './window-state';

const SAVE_DELAY_MS = 500;

export interface MainWindowOptions {
  preload: string;
  /** File of size and place. */
  stateFile: string;
  devTools: boolean;
  dirtyFiles: () => number;
  /** Called with each new page, before it loads. */
  attach: (contents: WebContents) => void;
  /** Nobody sees the window's dialogs any more: it was closed, or its page died. */
  onGone: (why: string) => void;
  onError: (message: string, error: unknown) => void;
}

/** The app's one window: opened, brought to the front, and opened again where apps outlive their windows. */
export class MainWindow {
  private window: BrowserWindow | null = null;
  private quitting = false;

  constructor(private readonly options: MainWindowOptions) {
    app.on('before-quit', () => (this.quitting = true));
  }

  current(): BrowserWindow | null {
    return this.window;
  }

  /** Brings the window to the front, opening it when there is none. */
  show(): void {
    const window = (this.window ??= this.create());
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
  }

  /** Opens the window; it appears once it has painted. */
  open(): void {
    this.window ??= this.create();
  }

  private create(): BrowserWindow {
    const { preload, devTools, stateFile } = this.options;
    const primary = screen.getPrimaryDisplay();
    const others = screen.getAllDisplays().filter((display) => display.id !== primary.id);
    const { bounds, maximised } = readWindowState(
      stateFile,
      [primary, ...others].map((display) => display.workArea),
    );
    const window = new BrowserWindow({ ...windowOptions(preload, devTools), ...bounds });
    if (maximised) window.maximize();
    window.once('ready-to-show', () => window.show());
    window.on('closed', () => {
      this.window = null;
      this.options.onGone('the window was closed');
    });
    this.rememberPlace(window);
    this.guardClose(window);
    this.watchPage(window);
    this.options.attach(window.webContents);
    this.load(window);
    return window;
  }

  private load(window: BrowserWindow): void {
    window.loadURL(APP_URL).catch((error: unknown) => {
      if (!window.isDestroyed()) this.options.onError('the page could not be loaded', error);
    });
  }

  private rememberPlace(window: BrowserWindow): void {
    let timer: NodeJS.Timeout | undefined;
    const save = (): void => {
      clearTimeout(timer);
      if (window.isDestroyed()) return;
      try {
        const state = { bounds: window.getNormalBounds(), maximised: window.isMaximized() };
        saveWindowState(this.options.stateFile, state);
      } catch (error) {
        this.options.onError('the window’s place could not be remembered', error);
      }
    };
    const saveSoon = (): void => {
      clearTimeout(timer);
      timer = setTimeout(save, SAVE_DELAY_MS);
    };
    window.on('resize', saveSoon);
    window.on('move', saveSoon);
    window.on('close', save);
  }

  private guardClose(window: BrowserWindow): void {
    let asking = false;
    let confirmed = false;
    window.on('close', (event) => {
      const dirty = this.options.dirtyFiles();
      if (confirmed || dirty === 0 || window.webContents.isCrashed()) return;
      event.preventDefault();
      if (asking) return;
      asking = true;
      const answered = (close: boolean): void => {
        asking = false;
        confirmed = close;
        if (close) this.resumeClose(window);
        else this.quitting = false;
      };
      askToClose(window, dirty).then(answered, (error: unknown) => {
        this.options.onError('the question before closing could not be shown', error);
        answered(false);
      });
    });
    // The page's own objection: the user was asked above, and when the page reloads itself its text is kept.
    window.webContents.on('will-prevent-unload', (event) => event.preventDefault());
  }

  private resumeClose(window: BrowserWindow): void {
    if (this.quitting) app.quit();
    else window.close();
  }

  private watchPage(window: BrowserWindow): void {
    window.webContents.on('render-process-gone', (_event, { reason }) => {
      this.options.onGone(`the page ended (${reason})`);
      if (window.isDestroyed() || reason === 'clean-exit') return;
      askAfterCrash(window, reason).then(
        (reload) => {
          if (window.isDestroyed()) return;
          if (reload) this.load(window);
          else window.destroy();
        },
        (error: unknown) => this.options.onError('the crash could not be shown', error),
      );
    });
  }
}
