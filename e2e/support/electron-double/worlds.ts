/**
 * The two scripts that run in a page of the double before its own: the preload's world and the receiving end in the page's
 * world. Both are handed over as text, so nothing outside of a function may be used inside.
 */

/** The preload's isolated world: https://www.electronjs.org/docs/latest/tutorial/context-isolation */
export const PRELOAD_WORLD = 'Electron double preload';
/** Carries messages to Node: a binding that only the preload's world has. */
export const TO_NODE = '__electronDoubleToNode';
/** Carries messages from Node: a function that only the preload's world has. */
export const FROM_NODE = '__electronDoubleFromNode';

export type ToNode =
  | { kind: 'invoke'; call: number; channel: string; args: unknown[] }
  | { kind: 'send'; channel: string; args: unknown[] };

export type FromNode =
  | { kind: 'result'; call: number; result: { value: unknown } | { error: string } }
  | { kind: 'message'; channel: string; args: unknown[] };

/**
 * What a sandboxed preload can `require`: https://www.electronjs.org/docs/latest/tutorial/sandbox#preload-scripts. Values
 * that a contextBridge API takes and gives are copied between the worlds, functions become proxies and promises stay
 * promises: https://www.electronjs.org/docs/latest/api/context-bridge#parameter--error--return-type-support
 */
function preloadWorld(toNodeName: string, fromNodeName: string, preload: (require: unknown) => void): void {
  // Preloads run in the main frame only, unless nodeIntegrationInSubFrames is set.
  if (window.top !== window) return;
  const own = globalThis as unknown as Record<string, unknown>;
  const toNode = own[toNodeName] as (text: string) => void;
  const listeners = new Map<string, ((event: object, ...args: unknown[]) => void)[]>();
  const calls = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  let lastCall = 0;

  const post = (message: object): void => {
    // Arguments cross by structured clone: it throws for functions, as Electron does.
    toNode(JSON.stringify(structuredClone(message)));
  };
  const ipcRenderer = {
    invoke: (channel: string, ...args: unknown[]) =>
      new Promise((resolve, reject) => {
        lastCall += 1;
        calls.set(lastCall, { resolve, reject });
        post({ kind: 'invoke', call: lastCall, channel, args });
      }),
    send: (channel: string, ...args: unknown[]) => post({ kind: 'send', channel, args }),
    on: (channel: string, listener: (event: object, ...args: unknown[]) => void) => {
      listeners.set(channel, [...(listeners.get(channel) ?? []), listener]);
    },
  };
  own[fromNodeName] = (message: FromNode): void => {
    if (message.kind === 'message') {
      for (const listener of listeners.get(message.channel) ?? []) listener({}, ...message.args);
      return;
    }
    const call = calls.get(message.call);
    calls.delete(message.call);
    if ('error' in message.result) call?.reject(new Error(message.result.error));
    else call?.resolve(message.result.value);
  };

  const functions = new Map<number, (...args: unknown[]) => unknown>();
  const exposed: { name: string; members: Record<string, number> }[] = [];
  const say = (detail: object): void => {
    document.dispatchEvent(new CustomEvent('electron-double:to-page', { detail }));
  };
  const proxyOf =
    (id: number) =>
    (...args: unknown[]) =>
      say({ kind: 'callback', id, args });
  const keep = (value: (...args: unknown[]) => unknown): number => {
    functions.set(functions.size + 1, value);
    return functions.size;
  };
  const settle = (call: number, promise: Promise<unknown>): void => {
    promise.then(
      (value) => say({ kind: 'settled', call, value }),
      (error: unknown) =>
        say({ kind: 'settled', call, error: error instanceof Error ? error.message : String(error) }),
    );
  };
  const run = (call: number, id: number, args: { fn?: number; value?: unknown }[]): object => {
    const real = args.map((arg) => (arg.fn === undefined ? arg.value : proxyOf(arg.fn)));
    try {
      const result = functions.get(id)?.(...real);
      if (result instanceof Promise) {
        settle(call, result);
        return { kind: 'promise' };
      }
      if (typeof result === 'function') return { kind: 'function', id: keep(result as () => unknown) };
      return { kind: 'value', value: result };
    } catch (error) {
      return { kind: 'thrown', error: error instanceof Error ? error.message : String(error) };
    }
  };
  document.addEventListener('electron-double:to-preload', (event) => {
    const message = (
      event as CustomEvent<{ kind: string; call: number; id: number; args: { fn?: number }[] }>
    ).detail;
    if (message.kind === 'hello') for (const api of exposed) say({ kind: 'expose', ...api });
    else say({ kind: 'returned', call: message.call, result: run(message.call, message.id, message.args) });
  });
  const contextBridge = {
    exposeInMainWorld: (name: string, api: Record<string, unknown>) => {
      const members: Record<string, number> = {};
      for (const [key, value] of Object.entries(api)) {
        if (typeof value !== 'function')
          throw new Error(`The Electron double exposes functions only, not ${key}.`);
        members[key] = keep(value as () => unknown);
      }
      exposed.push({ name, members });
      say({ kind: 'expose', name, members });
    },
  };
  const refuseOthers = <T extends object>(name: string, api: T): T =>
    new Proxy(api, {
      get: (target, key) => {
        if (key in target) return Reflect.get(target, key) as unknown;
        throw new Error(`The Electron double does not implement ${name}.${String(key)}.`);
      },
    });
  const electron = refuseOthers('electron', {
    contextBridge: refuseOthers('contextBridge', contextBridge),
    ipcRenderer: refuseOthers('ipcRenderer', ipcRenderer),
  });
  preload((name: string) => {
    if (name === 'electron') return electron;
    throw new Error(`module not found: ${name}`);
  });
}

/** The page's end of contextBridge: makes the exposed API, whose calls and callbacks are events on `document`. */
function pageWorld(): void {
  if (window.top !== window) return;
  type Callback = (...args: unknown[]) => unknown;
  interface Returned {
    kind: string;
    value?: unknown;
    id?: number;
    error?: string;
  }
  const callbacks = new Map<number, Callback>();
  const promises = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  const returned = new Map<number, Returned>();
  let lastCall = 0;
  const say = (detail: object): void => {
    document.dispatchEvent(new CustomEvent('electron-double:to-preload', { detail }));
  };
  const keep = (callback: Callback): number => {
    callbacks.set(callbacks.size + 1, callback);
    return callbacks.size;
  };
  const proxyOf =
    (id: number): Callback =>
    (...args) => {
      lastCall += 1;
      const call = lastCall;
      const sent = args.map((arg) =>
        typeof arg === 'function' ? { fn: keep(arg as Callback) } : { value: arg },
      );
      // Dispatching is synchronous: the answer is there when it returns.
      say({ kind: 'call', call, id, args: sent });
      const result = returned.get(call);
      returned.delete(call);
      if (result?.kind === 'thrown') throw new Error(result.error);
      if (result?.kind === 'promise')
        return new Promise((resolve, reject) => promises.set(call, { resolve, reject }));
      return result?.kind === 'function' ? proxyOf(result.id ?? 0) : result?.value;
    };
  interface Message {
    kind: string;
    name: string;
    members: Record<string, number>;
    call: number;
    id: number;
    args: unknown[];
    result: Returned;
    value?: unknown;
    error?: string;
  }
  const expose = ({ name, members }: Message): void => {
    if (name in window) return;
    const entries = Object.entries(members).map(([key, id]) => [key, proxyOf(id)] as const);
    const value = Object.freeze(Object.fromEntries(entries));
    Object.defineProperty(window, name, { value, writable: false, configurable: false, enumerable: true });
  };
  const settle = ({ call, value, error }: Message): void => {
    const promise = promises.get(call);
    promises.delete(call);
    if (error === undefined) promise?.resolve(value);
    else promise?.reject(new Error(error));
  };
  document.addEventListener('electron-double:to-page', (event) => {
    const message = (event as CustomEvent<Message>).detail;
    if (message.kind === 'expose') expose(message);
    else if (message.kind === 'returned') returned.set(message.call, message.result);
    else if (message.kind === 'callback') callbacks.get(message.id)?.(...message.args);
    else {
      // A promise that settles within the call itself is told after the call has returned.
      queueMicrotask(() => settle(message));
    }
  });
  // Whichever of the two scripts runs first: the other one's API gets here.
  say({ kind: 'hello' });
}

/** @param source the preload script's text, a CommonJS module */
export const preloadSource = (source: string): string =>
  `(${preloadWorld.toString()})(${JSON.stringify(TO_NODE)}, ${JSON.stringify(FROM_NODE)}, (require) => {
const module = { exports: {} };
((exports, require, module) => {
${source}
})(module.exports, require, module);
});`;

export const pageSource = (): string => `(${pageWorld.toString()})();`;
