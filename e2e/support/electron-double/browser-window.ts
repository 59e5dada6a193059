import { app } from './app';
import { toChromium } from './addresses';
import { chromium } from './chromium';
import { onControl, tell } from './control';
import { doubleEvent, guarded, GuardedEmitter, missing } from './guarded';
import { requireReady } from './lifecycle';
import { applyPermissions } from './session';
import { WebContents } from './web-contents';
import { windows } from './windows';

const EVENTS = ['close', 'closed', 'ready-to-show', 'resize', 'move'];

interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
}

interface Options extends Partial<Rectangle> {
  webPreferences?: Record<string, unknown>;
}

/**
 * What the double gives to every page, whatever it is asked for: an app that needs anything else can't be shown to work on
 * it. https://www.electronjs.org/docs/latest/api/structures/web-preferences
 */
const PREFERENCES: Readonly<Record<string, unknown>> = {
  contextIsolation: true,
  sandbox: true,
  nodeIntegration: false,
  nodeIntegrationInWorker: false,
  nodeIntegrationInSubFrames: false,
  webSecurity: true,
  allowRunningInsecureContent: false,
  experimentalFeatures: false,
  webviewTag: false,
  navigateOnDragDrop: false,
};
/** Without an effect on what is tested. */
const IGNORED = new Set(['preload', 'safeDialogs', 'spellcheck', 'devTools']);

function checkPreferences(preferences: Record<string, unknown>): string {
  for (const [name, value] of Object.entries(preferences)) {
    if (IGNORED.has(name)) continue;
    if (!(name in PREFERENCES) || PREFERENCES[name] !== value)
      throw missing(`webPreferences.${name} = ${String(value)}`);
  }
  const { preload } = preferences;
  if (typeof preload !== 'string') throw missing('windows without a preload script');
  return preload;
}

/** A window of https://www.electronjs.org/docs/latest/api/browser-window as a page of a headless Chromium. */
class DoubleWindow extends GuardedEmitter {
  readonly id: number;
  readonly webContents: WebContents;
  private readonly inner: WebContents;
  private readonly bounds: Rectangle;
  private readonly opened: Promise<string>;
  private maximized = false;
  private minimized = false;
  private destroyed = false;

  constructor(options: Options = {}) {
    requireReady('BrowserWindow');
    super('BrowserWindow', EVENTS);
    this.id = windows.nextId();
    const { x = 0, y = 0, width = 800, height = 600 } = options;
    this.bounds = { x, y, width, height };
    const { contents, inner } = WebContents.create(this.id, {
      preload: checkPreferences(options.webPreferences ?? {}),
    });
    this.webContents = contents;
    this.inner = inner;
    windows.add(this);
    app.emit('web-contents-created', doubleEvent({}), contents);
    this.opened = this.open();
    this.opened.catch((error: unknown) => console.error('Electron double: no window:', error));
  }

  async loadURL(url: string): Promise<void> {
    const targetId = await this.opened;
    await applyPermissions(this.webContents, url);
    await this.inner._load(url);
    tell({ event: 'window', targetId, url: toChromium(url) });
  }

  /** "Try to close the window. This has the same effect as a user manually clicking the close button." */
  close(): void {
    if (this.destroyed) return;
    const event = doubleEvent({});
    this.emit('close', event);
    if (event.defaultPrevented) {
      windows.refused();
      return;
    }
    void this.closePage();
  }

  /** "Force closing the window […] but it guarantees that the closed event will be emitted." */
  destroy(): void {
    void this.opened
      .then(async (targetId) => (await chromium()).cdp.send('Target.closeTarget', { targetId }))
      .catch(() => undefined);
    this.end();
  }

  isDestroyed(): boolean {
    return this.destroyed;
  }

  maximize(): void {
    this.maximized = true;
  }

  isMaximized(): boolean {
    return this.maximized;
  }

  isMinimized(): boolean {
    return this.minimized;
  }

  restore(): void {
    this.minimized = false;
  }

  getNormalBounds(): Rectangle {
    return { ...this.bounds };
  }

  // A headless window is always shown, and in front.
  show(): void {}
  focus(): void {}

  private async open(): Promise<string> {
    const { cdp } = await chromium();
    const { width, height } = this.bounds;
    const { targetId } = await cdp.send('Target.createTarget', {
      url: 'about:blank',
      newWindow: true,
      width,
      height,
    });
    const id = String(targetId);
    const { sessionId } = await cdp.send('Target.attachToTarget', { targetId, flatten: true });
    cdp.on('Target.targetDestroyed', (target: { targetId: string }) => {
      if (target.targetId === id) this.end();
    });
    cdp.on(
      'Target.targetCreated',
      ({ targetInfo }: { targetInfo: { targetId: string; openerId?: string; url: string } }) => {
        if (targetInfo.openerId !== id || this.inner._mayOpen(targetInfo.url)) return;
        void cdp.send('Target.closeTarget', { targetId: targetInfo.targetId });
      },
    );
    await cdp.send('Target.setDiscoverTargets', { discover: true });
    // "Emitted when the web page has been rendered (while not being shown)".
    cdp.on('Page.loadEventFired', () => this.emit('ready-to-show'), String(sessionId));
    await this.inner._attach(cdp, id, String(sessionId));
    onControl('crash', async () => {
      cdp.send('Page.crash', {}, String(sessionId)).catch(() => undefined);
    });
    return id;
  }

  private async closePage(): Promise<void> {
    const targetId = await this.opened;
    const { cdp } = await chromium();
    const { sessionId } = await cdp.send('Target.attachToTarget', { targetId, flatten: true });
    // Runs the page's beforeunload, which may object.
    await cdp.send('Page.close', {}, String(sessionId)).catch(() => undefined);
  }

  private end(): void {
    if (this.destroyed) return;
    this.destroyed = true;
    this.inner._destroyed();
    this.emit('closed');
    windows.remove(this);
  }
}

/** Windows throw on what they don't have. */
export const BrowserWindow = new Proxy(DoubleWindow, {
  construct: (Target, [options]: [Options?]) => guarded('BrowserWindow', new Target(options)),
  get: (Target, key) => {
    if (key === 'prototype') return Target.prototype;
    throw missing(`BrowserWindow.${String(key)}`);
  },
});
