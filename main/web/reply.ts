import type { ServerResponse } from 'node:http';
import { CONTENT_SECURITY_POLICY, contentSecurityPolicyWithSocket } from '../../shared/contract/csp';
import type { Envelope, ErrorCode, ErrorShape } from '../../shared/error';

/** On every answer, also on refusals (sec-D06, sec-E06, sec-E09). `host` is the request's checked Host. */
export function setSecurityHeaders(response: ServerResponse, host: string | null): void {
  response.setHeader('X-Frame-Options', 'DENY');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
  response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
  response.setHeader('Cache-Control', 'no-store');
  const policy = host === null ? CONTENT_SECURITY_POLICY : contentSecurityPolicyWithSocket(`ws://${host}`);
  response.setHeader('Content-Security-Policy', policy);
}

export function sendText(
  response: ServerResponse,
  status: number,
  text: string,
  type = 'text/plain; charset=utf-8',
): void {
  response.writeHead(status, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(text) });
  // A request whose body was not read can't be followed by another on the same connection.
  if (!response.req.complete) response.shouldKeepAlive = false;
  response.end(response.req.method === 'HEAD' ? undefined : text);
}

export const sendJson = (response: ServerResponse, status: number, envelope: Envelope): void =>
  sendText(response, status, JSON.stringify(envelope), 'application/json; charset=utf-8');

export const sendFailure = (
  response: ServerResponse,
  error: ErrorShape,
  status = statusOf(error.code),
): void => sendJson(response, status, { ok: false, error });

const STATUS: Partial<Record<ErrorCode, number>> = {
  bad_argument: 400,
  unauthorized: 401,
  not_approved: 403,
  denied_by_rule: 403,
  mode_forbids: 403,
  outside_workspace: 403,
  protected_path: 403,
  symlink_escape: 403,
  not_found: 404,
  folder_missing: 404,
  conflict: 409,
  stale: 409,
  busy: 409,
  no_project: 409,
  no_model: 409,
  file_too_large: 413,
  unsupported: 501,
  timed_out: 504,
};

export const statusOf = (code: ErrorCode): number => STATUS[code] ?? 500;

/** Without a session nothing is told but how to get one (sec-E01). */
export const UNAUTHORIZED_PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Lathe – not signed in</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:34em;margin:15vh auto;padding:0 1em;color-scheme:light dark}</style>
<h1>Not signed in</h1>
<p>Open the address that <code>lathe serve</code> printed. It works once; start <code>lathe serve</code> again for a new one.</p>
<p>If this browser has opened it before, <a href="/">go to Lathe</a>.</p>
</html>
`;
