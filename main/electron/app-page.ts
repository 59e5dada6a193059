/** The scheme and origin of the window's page; nothing else is ever loaded. */
export const APP_SCHEME = 'app';
export const APP_HOST = 'lathe';
export const APP_ORIGIN = `${APP_SCHEME}://${APP_HOST}`;
export const APP_URL = `${APP_ORIGIN}/index.html`;

/** True for the window's own page, with whatever fragment: reloading it is the only navigation there is. */
export function isAppPage(url: string): boolean {
  return url.replace(/#.*$/s, '') === APP_URL;
}
