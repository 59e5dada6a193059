/** Chromium has no custom schemes, so each `scheme://host` of the app is an https origin that never leaves the machine. */
const SUFFIX = 'electron-double.invalid';

export function toChromium(url: string): string {
  const { protocol, host, pathname, search, hash } = new URL(url);
  return `https://${host}.${protocol.slice(0, -1)}.${SUFFIX}${pathname}${search}${hash}`;
}

/** The app's own address for one of Chromium's; other addresses stay as they are. */
export function toApp(url: string): string {
  if (!URL.canParse(url)) return url;
  const { protocol, host, pathname, search, hash } = new URL(url);
  const [, name, scheme] = new RegExp(`^(.+)\\.([a-z][a-z0-9+-]*)\\.${SUFFIX}$`).exec(host) ?? [];
  if (protocol !== 'https:' || name === undefined || scheme === undefined) return url;
  return `${scheme}://${name}${pathname}${search}${hash}`;
}

/** The origin as a standard scheme has it; of anything without a host it is "null", as for WebFrameMain.origin. */
export function appOrigin(url: string): string {
  if (!URL.canParse(url)) return 'null';
  const { protocol, host } = new URL(url);
  return host === '' ? 'null' : `${protocol}//${host}`;
}
