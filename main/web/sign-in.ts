import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** 256 bits in base64url; sec-E01 asks for at least 128. */
const newSecret = (): string => randomBytes(32).toString('base64url');

/** Hashing first makes the lengths equal, so that time tells nothing about either (sec-E01). */
const same = (a: string, b: string): boolean =>
  timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest());

/** Links that nobody opened; the oldest goes when there are more. */
const MAX_OPEN_LINKS = 32;

export interface SignIn {
  /** For scripts: `Authorization: Bearer …`, valid as long as this host runs. */
  readonly apiToken: string;
  /** A token for one `?t=` address. */
  newLinkToken(): string;
  /** Spends a link token. The Set-Cookie value of a new session, or null when it is unknown or was used (sec-E06). */
  exchange(linkToken: string): string | null;
  hasSession(request: Pick<IncomingMessage, 'headers'>): boolean;
  hasApiToken(request: Pick<IncomingMessage, 'headers'>): boolean;
}

/**
 * Who may talk to this host. Everything is made anew per launch and lives in memory only; the cookie is named after port
 * and launch because browsers share cookies across the ports of one host.
 */
export function createSignIn(port: number): SignIn {
  const apiToken = newSecret();
  const cookieName = `lathe_${port}_${randomBytes(6).toString('hex')}`;
  const sessions = new Set<string>();
  const links = new Set<string>();

  const newLinkToken = (): string => {
    const token = newSecret();
    links.add(token);
    const [oldest] = links;
    if (links.size > MAX_OPEN_LINKS && oldest !== undefined) links.delete(oldest);
    return token;
  };
  const exchange = (linkToken: string): string | null => {
    const known = [...links].find((token) => same(token, linkToken));
    if (known === undefined) return null;
    links.delete(known);
    const session = newSecret();
    sessions.add(session);
    return `${cookieName}=${session}; Path=/; HttpOnly; SameSite=Strict`;
  };
  const hasSession: SignIn['hasSession'] = ({ headers }) => {
    const value = cookieValue(headers.cookie ?? '', cookieName);
    return value !== null && [...sessions].some((session) => same(session, value));
  };
  const hasApiToken: SignIn['hasApiToken'] = ({ headers }) => {
    const [, token] = /^Bearer ([^\s]+)$/i.exec(headers.authorization ?? '') ?? [];
    return token !== undefined && same(token, apiToken);
  };
  return { apiToken, newLinkToken, exchange, hasSession, hasApiToken };
}

function cookieValue(header: string, name: string): string | null {
  for (const pair of header.split(';')) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return null;
}
