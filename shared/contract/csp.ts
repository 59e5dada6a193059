/**
 * The content security policy of every page of the app, in both hosts.
 *
 * Monaco wants blob workers, inline styles and data: images; nothing else is loosened. No origin but our own can be
 * reached from the page, so neither model text nor a file can send anything out.
 */
const DIRECTIVES = {
  'default-src': "'none'",
  'script-src': "'self'",
  'worker-src': "'self' blob:",
  'style-src': "'self' 'unsafe-inline'",
  'img-src': "'self' data: blob:",
  'font-src': "'self'",
  'connect-src': "'self'",
  'frame-src': "'none'",
  'object-src': "'none'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
} as const;

const render = (directives: Record<string, string>): string =>
  Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ');

export const CONTENT_SECURITY_POLICY = render(DIRECTIVES);

/**
 * The same policy for a page that talks to its own host over a WebSocket: older browsers don't count `ws:` as 'self'.
 *
 * @param origin the socket's origin, for example `ws://127.0.0.1:4100`
 */
export const contentSecurityPolicyWithSocket = (origin: string): string =>
  render({ ...DIRECTIVES, 'connect-src': `'self' ${origin}` });
