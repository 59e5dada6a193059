import { lifecycle } from './lifecycle';
import { guarded } from './guarded';

type Handler = (request: Request) => Response | Promise<Response>;

const handlers = new Map<string, Handler>();
const privileged = new Set<string>();
let registered = false;

/** https://www.electronjs.org/docs/latest/api/protocol */
export const protocol = guarded('protocol', {
  /** "This method can only be used before the `ready` event of the app module gets emitted and can be called only once." */
  registerSchemesAsPrivileged(schemes: { scheme: string; privileges?: Record<string, boolean> }[]): void {
    if (lifecycle.isReady)
      throw new Error('protocol.registerSchemesAsPrivileged should be called before app is ready');
    if (registered) throw new Error('protocol.registerSchemesAsPrivileged can be called only once');
    registered = true;
    for (const { scheme, privileges } of schemes) {
      if (privileges?.['standard'] && privileges['secure']) privileged.add(scheme);
    }
  },
  handle(scheme: string, handler: Handler): void {
    if (!lifecycle.isReady) throw new Error('protocol.handle can be used only after app is ready');
    if (!privileged.has(scheme)) {
      throw new Error(`The Electron double handles standard, secure schemes only, which ${scheme} is not.`);
    }
    handlers.set(scheme, handler);
  },
});

/** What the app's handler answers; null for a scheme that nobody handles. The body of a request is not passed on. */
export async function answer(method: string, url: string): Promise<Response | null> {
  const handler = handlers.get(new URL(url).protocol.slice(0, -1));
  return handler ? await handler(new Request(url, { method })) : null;
}
