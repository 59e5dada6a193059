import type { IncomingMessage } from 'node:http';

/** Why a request is turned away before anything else looks at it; null when it may go on. */
export type Refusal = { status: 403; reason: string } | null;

const refuse = (reason: string): Refusal => ({ status: 403, reason });

export type GuardedRequest = Pick<IncomingMessage, 'rawHeaders' | 'headers' | 'method'>;

/** The names under which a browser on this machine reaches the host; any other is DNS rebinding (sec-E03). */
const hostsAt = (port: number): readonly string[] => [
  `127.0.0.1:${port}`,
  `localhost:${port}`,
  `[::1]:${port}`,
];

/** Every value sent under `name`: Node drops or joins repeated headers, and a repeated Host is an attack. */
function rawValues(request: GuardedRequest, name: string): string[] {
  const values: string[] = [];
  for (let i = 0; i + 1 < request.rawHeaders.length; i += 2) {
    if (request.rawHeaders[i]?.toLowerCase() === name) values.push(request.rawHeaders[i + 1] ?? '');
  }
  return values;
}

/** sec-E03, sec-E04: exactly one Host header, and one of ours. */
export function checkHost(request: GuardedRequest, port: number): Refusal {
  const hosts = rawValues(request, 'host');
  if (hosts.length === 1 && hostsAt(port).includes(hosts[0] ?? '')) return null;
  return refuse('This host answers under its own address only.');
}

/** The origin of pages that this host served under the Host the request names. */
export const ownOrigin = (request: GuardedRequest): string => `http://${request.headers.host ?? ''}`;

/**
 * sec-E02: a socket may be opened by our own page only. Browsers always send Origin with an upgrade, and the cookie
 * alone proves nothing: cookies are shared across the ports of a host.
 */
export function checkUpgradeOrigin(request: GuardedRequest): Refusal {
  const origins = rawValues(request, 'origin');
  return origins.length === 1 && origins[0] === ownOrigin(request)
    ? null
    : refuse('Foreign or missing Origin.');
}

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD']);
export const isSafe = (request: GuardedRequest): boolean => SAFE_METHODS.has(request.method ?? '');

/**
 * sec-E05: no page but ours may cause a request, also one from another port of the same machine ("same-site").
 *
 * @param bearer true when the request carries the API token: then it is a script, which sends no Origin
 */
export function checkCaller(request: GuardedRequest, bearer: boolean): Refusal {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return refuse('Cross-site request.');
  const origins = rawValues(request, 'origin');
  if (origins.some((origin) => origin !== ownOrigin(request))) return refuse('Foreign Origin.');
  if (isSafe(request) || bearer || origins.length > 0) return null;
  return refuse('A request that changes something needs an Origin.');
}

/** sec-E05: forms can't send JSON, so a type of JSON means that CORS rules applied. */
export function checkContentType(request: GuardedRequest): Refusal {
  if (!['POST', 'PUT', 'PATCH'].includes(request.method ?? '')) return null;
  const [type = ''] = (request.headers['content-type'] ?? '').split(';');
  return type.trim().toLowerCase() === 'application/json' ? null : refuse('Send application/json.');
}
