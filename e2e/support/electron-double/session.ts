import { toChromium } from './addresses';
import { chromium } from './chromium';
import { guarded } from './guarded';
import { requireReady } from './lifecycle';

type RequestHandler = (
  contents: unknown,
  permission: string,
  answer: (granted: boolean) => void,
  details: object,
) => void;
type CheckHandler = (contents: unknown, permission: string, origin: string, details: object) => boolean;

let onRequest: RequestHandler | null = null;
let onCheck: CheckHandler | null = null;

/** Names of Electron's permissions and what the browser calls them: https://w3c.github.io/permissions-registry/ */
const PERMISSIONS: Readonly<Record<string, { name: string; [fact: string]: unknown }>> = {
  geolocation: { name: 'geolocation' },
  notifications: { name: 'notifications' },
  media: { name: 'camera' },
  midi: { name: 'midi' },
  'clipboard-read': { name: 'clipboard-read' },
  'clipboard-sanitized-write': { name: 'clipboard-write' },
  'idle-detection': { name: 'idle-detection' },
};

const defaultSession = guarded('session', {
  setPermissionRequestHandler(handler: RequestHandler | null): void {
    onRequest = handler;
  },
  setPermissionCheckHandler(handler: CheckHandler | null): void {
    onCheck = handler;
  },
  /** Chromium shows no device to a page in headless mode, so that there is nothing to ask about. */
  setDevicePermissionHandler(_handler: ((details: object) => boolean) | null): void {},
});

/** https://www.electronjs.org/docs/latest/api/session */
export const session = guarded('session module', {
  get defaultSession() {
    requireReady('session.defaultSession');
    return defaultSession;
  },
});

/** Without a handler Electron grants: "By default, Electron will automatically approve all permission requests". */
function isGranted(contents: unknown, permission: string, origin: string): boolean {
  if (onCheck?.(contents, permission, origin, {}) === false) return false;
  let granted = onRequest === null;
  onRequest?.(contents, permission, (answer) => (granted = answer), {});
  return granted;
}

/** DevTools can't pass a page's request on as it comes, so the app's handlers are asked ahead, for each permission. */
export async function applyPermissions(contents: unknown, url: string): Promise<void> {
  const { cdp } = await chromium();
  const { origin } = new URL(toChromium(url));
  for (const [name, permission] of Object.entries(PERMISSIONS)) {
    const setting = isGranted(contents, name, new URL(url).origin) ? 'granted' : 'denied';
    await cdp.send('Browser.setPermission', { origin, permission, setting });
  }
}
