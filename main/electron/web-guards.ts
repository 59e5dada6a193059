import type { App, Session, WebContents } from 'electron';
import { isAppPage } from './app-page';

/** The one thing that the page may do beyond drawing itself: put text on the clipboard on a user's gesture. */
const GRANTED: ReadonlySet<string> = new Set(['clipboard-sanitized-write']);

/** Electron grants every permission by default; here none is, on request, on check and for devices. */
export function denyPermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, answer) => answer(GRANTED.has(permission)));
  session.setPermissionCheckHandler((_contents, permission) => GRANTED.has(permission));
  session.setDevicePermissionHandler(() => false);
}

/** Guards every page that this app will ever hold, before it loads anything. */
export function guardAllContents(app: App): void {
  app.on('web-contents-created', (_event, contents) => guardContents(contents));
}

/** The page stays the page: it goes nowhere, opens no window and embeds nothing. Links go to the system's browser. */
export function guardContents(contents: WebContents): void {
  const stay = (event: { url: string; preventDefault(): void }): void => {
    if (!isAppPage(event.url)) event.preventDefault();
  };
  contents.on('will-navigate', stay);
  contents.on('will-redirect', stay);
  contents.on('will-frame-navigate', (event) => {
    if (!event.isMainFrame || !isAppPage(event.url)) event.preventDefault();
  });
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
}
