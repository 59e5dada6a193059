import { readFileSync } from 'node:fs';
import { answer } from './protocol';
import { appOrigin, toApp, toChromium } from './addresses';
import type { Cdp } from './cdp';
import { doubleEvent, guarded, GuardedEmitter, missing } from './guarded';
import { invoke, receive } from './ipc-main';
import {
  FROM_NODE,
  PRELOAD_WORLD,
  TO_NODE,
  pageSource,
  preloadSource,
  type FromNode,
  type ToNode,
} from './worlds';

const EVENTS = [
  'will-navigate',
  'will-redirect',
  'will-frame-navigate',
  'will-attach-webview',
  'will-prevent-unload',
  'render-process-gone',
  'destroyed',
];

interface Paused {
  requestId: string;
  request: { url: string; method: string };
  resourceType: string;
  frameId: string;
}

interface Context {
  id: number;
  name: string;
  auxData: { frameId: string };
}

/** https://www.electronjs.org/docs/latest/api/web-frame-main */
class Frame {
  private static lastId = 0;
  readonly parent: object | null;
  readonly frameTreeNodeId: number;
  url = '';

  constructor(parent: object | null) {
    this.parent = parent;
    Frame.lastId += 1;
    this.frameTreeNodeId = Frame.lastId;
  }

  get origin(): string {
    return appOrigin(this.url);
  }
}

const guardedFrame = (frame: Frame): Frame => guarded('WebFrameMain', frame);

type OpenHandler = (details: { url: string }) => { action: 'allow' | 'deny' };

export interface PagePreferences {
  preload: string;
}

/** A page of Chromium as https://www.electronjs.org/docs/latest/api/web-contents describes it. */
export class WebContents extends GuardedEmitter {
  readonly id: number;
  readonly mainFrame: Frame = guardedFrame(new Frame(null));
  private readonly preferences: PagePreferences;
  private readonly frames = new Map<string, Frame>();
  private readonly contexts = new Map<number, string>();
  private page: { cdp: Cdp; session: string; targetId: string } | null = null;
  private preloadContext: number | null = null;
  private expectedUrl: string | null = null;
  private openHandler: OpenHandler = () => ({ action: 'allow' });
  private crashed = false;
  private gone = false;
  private self: WebContents = this;

  constructor(id: number, preferences: PagePreferences) {
    super('WebContents', EVENTS);
    this.id = id;
    this.preferences = preferences;
  }

  static create(id: number, preferences: PagePreferences): { contents: WebContents; inner: WebContents } {
    const inner = new WebContents(id, preferences);
    inner.self = guarded('WebContents', inner);
    return { contents: inner.self, inner };
  }

  isDestroyed(): boolean {
    return this.gone;
  }

  isCrashed(): boolean {
    return this.crashed;
  }

  /** "Sends an asynchronous message to the renderer process via `channel`"; one to a page that is not there is lost. */
  send(channel: string, ...args: unknown[]): void {
    if (this.gone) throw new TypeError('Object has been destroyed');
    this.post({ kind: 'message', channel, args: structuredClone(args) });
  }

  setWindowOpenHandler(handler: OpenHandler): void {
    this.openHandler = handler;
  }

  /** Not Electron's: how the window's side of the double drives the page. */
  async _attach(cdp: Cdp, targetId: string, session: string): Promise<void> {
    this.page = { cdp, session, targetId };
    this.frames.set(targetId, this.mainFrame);
    const on = (method: string, listener: (params: never) => void): void => cdp.on(method, listener, session);
    on('Runtime.executionContextCreated', ({ context }: { context: Context }) => this.addContext(context));
    on('Runtime.executionContextsCleared', () => this.forgetContexts());
    on('Runtime.bindingCalled', (call: { name: string; payload: string; executionContextId: number }) => {
      if (call.name === TO_NODE) this.hear(JSON.parse(call.payload) as ToNode, call.executionContextId);
    });
    on('Page.frameNavigated', ({ frame }: { frame: { id: string; parentId?: string; url: string } }) => {
      this.frameOf(frame.id, frame.parentId).url = toApp(frame.url);
    });
    on('Page.javascriptDialogOpening', (dialog: { type: string }) => void this.answerDialog(dialog.type));
    on('Fetch.requestPaused', (paused: Paused) => void this.serve(paused));
    on('Inspector.targetCrashed', () => this.die());
    const send = (method: string, params: Record<string, unknown> = {}) => cdp.send(method, params, session);
    await send('Page.enable');
    await send('Runtime.enable');
    await send('Inspector.enable');
    await send('Runtime.addBinding', { name: TO_NODE, executionContextName: PRELOAD_WORLD });
    await send('Page.addScriptToEvaluateOnNewDocument', { source: pageSource() });
    await send('Page.addScriptToEvaluateOnNewDocument', {
      source: preloadSource(readFileSync(this.preferences.preload, 'utf8')),
      worldName: PRELOAD_WORLD,
    });
    await send('Fetch.enable', { patterns: [{ urlPattern: '*' }] });
  }

  async _load(url: string): Promise<void> {
    const { cdp, session } = this.required();
    this.crashed = false;
    this.expectedUrl = toChromium(url);
    const { errorText } = await cdp.send('Page.navigate', { url: this.expectedUrl }, session);
    if (typeof errorText === 'string') throw new Error(`${errorText} loading '${url}'`);
  }

  _destroyed(): void {
    this.gone = true;
    this.emit('destroyed');
  }

  /** What the page opened is not let live unless the handler says so, as setWindowOpenHandler documents. */
  _mayOpen(url: string): boolean {
    if (this.openHandler({ url: toApp(url) }).action === 'deny') return false;
    throw missing('windows that a page opens');
  }

  private required(): { cdp: Cdp; session: string; targetId: string } {
    if (!this.page) throw new Error('Electron double: the page is not there yet');
    return this.page;
  }

  private frameOf(id: string, parentId: string | undefined): Frame {
    const known = this.frames.get(id);
    if (known) return known;
    const frame = guardedFrame(new Frame(this.frames.get(parentId ?? '') ?? this.mainFrame));
    this.frames.set(id, frame);
    return frame;
  }

  private addContext({ id, name, auxData }: Context): void {
    if (name !== PRELOAD_WORLD) return;
    this.contexts.set(id, auxData.frameId);
    if (auxData.frameId === this.required().targetId) this.preloadContext = id;
  }

  private forgetContexts(): void {
    this.contexts.clear();
    this.preloadContext = null;
  }

  private post(message: FromNode): void {
    if (this.preloadContext === null) return;
    const { cdp, session } = this.required();
    const call = {
      functionDeclaration: `function (message) { globalThis.${FROM_NODE}?.(message); }`,
      executionContextId: this.preloadContext,
      arguments: [{ value: message }],
      silent: true,
    };
    // The page may go away while the message is on its way.
    cdp.send('Runtime.callFunctionOn', call, session).catch(() => undefined);
  }

  private hear(message: ToNode, contextId: number): void {
    const frameId = this.contexts.get(contextId);
    const senderFrame = frameId === undefined ? null : (this.frames.get(frameId) ?? null);
    const event = { sender: this.self, senderFrame, processId: 1, frameId: 1 };
    if (message.kind === 'send') receive(event, message.channel, message.args);
    else {
      void invoke(event, message.channel, message.args).then((result) =>
        this.post({ kind: 'result', call: message.call, result }),
      );
    }
  }

  /** Navigations that the app did not start itself are asked about; then the app's own handler answers. */
  private async serve({ requestId, request, resourceType, frameId }: Paused): Promise<void> {
    const { cdp, session } = this.required();
    const fail = (errorReason: string) => cdp.send('Fetch.failRequest', { requestId, errorReason }, session);
    try {
      if (resourceType === 'Document' && this.isPrevented(request.url, frameId)) {
        await fail('Aborted');
        return;
      }
      const url = toApp(request.url);
      const response = url === request.url ? null : await answer(request.method, url);
      if (!response) {
        await fail('BlockedByClient');
        return;
      }
      const body = Buffer.from(await response.arrayBuffer()).toString('base64');
      const responseHeaders = [...response.headers].map(([name, value]) => ({ name, value }));
      await cdp.send(
        'Fetch.fulfillRequest',
        { requestId, responseCode: response.status, responseHeaders, body },
        session,
      );
    } catch (error) {
      if (!this.gone) console.error(`Electron double: ${request.url} was not served:`, error);
    }
  }

  private isPrevented(url: string, frameId: string): boolean {
    if (this.expectedUrl === url) {
      this.expectedUrl = null;
      return false;
    }
    const frame = this.frames.get(frameId) ?? null;
    const isMainFrame = frame === this.mainFrame;
    const facts = { url: toApp(url), isMainFrame, isSameDocument: false, frame };
    const names = ['will-frame-navigate', ...(isMainFrame ? ['will-navigate'] : [])];
    return names
      .map((name) => {
        const event = doubleEvent(facts);
        this.emit(name, event, facts.url);
        return event.defaultPrevented;
      })
      .some(Boolean);
  }

  /** "Calling event.preventDefault() will ignore the beforeunload event handler and allow the page to be unloaded." */
  private async answerDialog(type: string): Promise<void> {
    if (type !== 'beforeunload') return;
    const event = doubleEvent({});
    this.emit('will-prevent-unload', event);
    const { cdp, session } = this.required();
    await cdp
      .send('Page.handleJavaScriptDialog', { accept: event.defaultPrevented }, session)
      .catch(() => undefined);
  }

  private die(): void {
    this.crashed = true;
    this.forgetContexts();
    this.emit('render-process-gone', doubleEvent({}), { reason: 'crashed', exitCode: 1 });
  }
}
