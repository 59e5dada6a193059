import { EventEmitter } from 'node:events';
import path from 'node:path';

/** Everything that was done to the fake, in order, as `what` or `what:argument`. */
export const log: string[] = [];

export class FakeContents extends EventEmitter {
  readonly mainFrame = {
    parent: null,
    frameTreeNodeId: 1,
    origin: 'app://lathe',
    url: 'app://lathe/index.html',
  };
  readonly sent: unknown[][] = [];
  openHandler: ((details: { url: string }) => { action: string }) | null = null;
  destroyed = false;

  setWindowOpenHandler(handler: (details: { url: string }) => { action: string }): void {
    this.openHandler = handler;
  }
  send(...message: unknown[]): void {
    this.sent.push(message);
  }
  isDestroyed(): boolean {
    return this.destroyed;
  }
  isCrashed(): boolean {
    return false;
  }
}

export class FakeWindow extends EventEmitter {
  static all: FakeWindow[] = [];
  readonly webContents = new FakeContents();
  readonly options: Record<string, unknown>;
  url = '';
  closed = false;

  constructor(options: Record<string, unknown>) {
    super();
    this.options = options;
    FakeWindow.all.push(this);
    log.push('BrowserWindow');
    app.emit('web-contents-created', {}, this.webContents);
  }
  async loadURL(url: string): Promise<void> {
    log.push(`loadURL:${url}`);
    this.url = url;
  }
  close(): void {
    const event = preventable();
    this.emit('close', event);
    if (!event.defaultPrevented) this.destroy();
  }
  destroy(): void {
    this.closed = true;
    this.webContents.destroyed = true;
    this.webContents.emit('destroyed');
    this.emit('closed');
  }
  getNormalBounds = () => ({ x: 10, y: 20, width: 900, height: 700 });
  isMaximized = () => false;
  isMinimized = () => false;
  isDestroyed = () => this.closed;
  maximize(): void {}
  restore(): void {}
  show(): void {}
  focus(): void {}
}

export function preventable<T extends object>(
  facts?: T,
): T & { defaultPrevented: boolean; preventDefault(): void } {
  const event = {
    ...(facts as T),
    defaultPrevented: false,
    preventDefault: () => {
      event.defaultPrevented = true;
    },
  };
  return event;
}

type Handler = (...args: unknown[]) => unknown;

export const app = Object.assign(new EventEmitter(), {
  isPackaged: false,
  commandLine: { removeSwitch: (name: string) => log.push(`removeSwitch:${name}`) },
  lock: true,
  ready: Promise.withResolvers<void>(),
  exited: Promise.withResolvers<number>(),
  setPath: (name: string) => log.push(`setPath:${name}`),
  setAppUserModelId: () => undefined,
  enableSandbox: () => log.push('enableSandbox'),
  requestSingleInstanceLock: (wish: unknown): boolean => {
    log.push(`lock:${JSON.stringify(wish)}`);
    return app.lock;
  },
  whenReady: (): Promise<void> => app.ready.promise,
  getAppPath: () => path.resolve(import.meta.dirname, '../../..'),
  getVersion: () => '1.2.3',
  resolveProxy: async () => 'DIRECT',
  quit: () => log.push('quit'),
  exit: (code: number) => app.exited.resolve(code),
});

export const dialog = {
  boxes: [] as { message: string; buttons: string[]; detail: string }[],
  response: 0 as number | ((options: { buttons: string[] }) => number),
  showMessageBox: async (...args: unknown[]) => {
    const options = args.at(-1) as { message: string; buttons: string[]; detail: string };
    dialog.boxes.push(options);
    const { response } = dialog;
    return { response: typeof response === 'function' ? response(options) : response };
  },
  showOpenDialog: async () => ({ canceled: true, filePaths: [] as string[] }),
  showErrorBox: (title: string, text: string) => log.push(`errorBox:${title}:${text}`),
};

const ipcHandlers = new Map<string, Handler>();
export const ipcMain = Object.assign(new EventEmitter(), {
  handle: (channel: string, handler: Handler) => void ipcHandlers.set(channel, handler),
  invoke: async (channel: string, event: unknown, ...args: unknown[]) =>
    ipcHandlers.get(channel)?.(event, ...args),
});

export const protocol = {
  schemes: [] as { scheme: string; privileges: object }[],
  handler: null as ((request: { method: string; url: string }) => Promise<Response>) | null,
  registerSchemesAsPrivileged: (schemes: { scheme: string; privileges: object }[]) => {
    log.push('registerSchemes');
    protocol.schemes = schemes;
  },
  handle: (scheme: string, handler: (request: { method: string; url: string }) => Promise<Response>) => {
    log.push(`protocol.handle:${scheme}`);
    protocol.handler = handler;
  },
};

export const safeStorage = {
  available: true,
  backend: 'gnome_libsecret',
  isEncryptionAvailable: () => safeStorage.available,
  getSelectedStorageBackend: () => safeStorage.backend,
  encryptString: (text: string) => Buffer.from([...text].reverse().join('')),
  decryptString: (bytes: Buffer) => {
    if (bytes.toString() === '') throw new Error('not ours');
    return [...bytes.toString()].reverse().join('');
  },
};

export const session = {
  defaultSession: {
    onRequest: null as ((contents: unknown, name: string, answer: (granted: boolean) => void) => void) | null,
    onCheck: null as ((contents: unknown, name: string) => boolean) | null,
    onDevice: null as (() => boolean) | null,
    setPermissionRequestHandler: (
      handler: (contents: unknown, name: string, answer: (granted: boolean) => void) => void,
    ) => {
      session.defaultSession.onRequest = handler;
    },
    setPermissionCheckHandler: (handler: (contents: unknown, name: string) => boolean) => {
      session.defaultSession.onCheck = handler;
    },
    setDevicePermissionHandler: (handler: () => boolean) => {
      session.defaultSession.onDevice = handler;
    },
  },
};

export const shell = {
  openExternal: async (url: string) => void log.push(`openExternal:${url}`),
  showItemInFolder: (file: string) => void log.push(`reveal:${file}`),
  trashItem: async (file: string) => void log.push(`trash:${file}`),
};

interface FakeMenuItem {
  label?: string;
  role?: string;
  click?: () => void;
  submenu?: FakeMenuItem[];
}

export const Menu = {
  template: [] as FakeMenuItem[],
  buildFromTemplate: (template: unknown) => template,
  setApplicationMenu: (template: FakeMenuItem[]) => {
    Menu.template = template;
  },
};

export const nativeTheme = { themeSource: 'system' };

const DISPLAY = { id: 1, workArea: { x: 0, y: 0, width: 1920, height: 1080 } };
export const screen = { getPrimaryDisplay: () => DISPLAY, getAllDisplays: () => [DISPLAY] };

export class Notification extends EventEmitter {
  static isSupported = () => true;
  show(): void {}
  close(): void {}
}

export { FakeWindow as BrowserWindow };
