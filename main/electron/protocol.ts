import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { protocol } from 'electron';
import { CONTENT_SECURITY_POLICY } from '../../shared/contract/csp';
import { APP_HOST, APP_SCHEME } from './app-page';

const MIME: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.ttf': 'font/ttf',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
};

const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** Makes `app://` a secure origin like https. Has to run before the app is ready. */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    {
      scheme: APP_SCHEME,
      privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true },
    },
  ]);
}

/** Serves the built window, and nothing outside of its folder, under `app://`. */
export function serveAppFiles(rendererDir: string): void {
  protocol.handle(APP_SCHEME, (request) => answerAppRequest(rendererDir, request.method, request.url));
}

/** What is under `url`: a file of `rendererDir` with the security headers, else 404. Folders are not listed. */
export async function answerAppRequest(rendererDir: string, method: string, url: string): Promise<Response> {
  const file = fileOf(rendererDir, url);
  const found = file !== null && (await isFile(file));
  if (!found || (method !== 'GET' && method !== 'HEAD')) return notFound();
  const headers = { ...SECURITY_HEADERS, 'Content-Type': mimeOf(file), 'Cache-Control': 'no-cache' };
  return new Response(method === 'HEAD' ? null : await readFile(file), { headers });
}

const notFound = (): Response => new Response('Not found', { status: 404, headers: SECURITY_HEADERS });

const mimeOf = (file: string): string => MIME[path.extname(file).toLowerCase()] ?? 'application/octet-stream';

/** The file that a URL means, or null for everything that is not plainly a path below `root`. */
function fileOf(root: string, url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { protocol: scheme, host, pathname } = new URL(url);
  if (scheme !== `${APP_SCHEME}:` || host !== APP_HOST) return null;
  const relative = decoded(pathname);
  if (relative === null || /[\0\\:]/.test(relative)) return null;
  const base = path.resolve(root);
  const file = path.resolve(base, `.${relative}`);
  return file.startsWith(base + path.sep) ? file : null;
}

function decoded(pathname: string): string | null {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return null;
  }
}

async function isFile(file: string): Promise<boolean> {
  try {
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}
