import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';

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
  '.jpg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.ttf': 'font/ttf',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
};

/** The bundler's names for files whose content never changes under the same name. */
const HASHED = /^assets\/.+-[\w-]{8,}\.\w+$/;

/**
 * The file under `root` that a URL path names, or null when there is none: traversal, links that lead out, folders and
 * odd encodings are all "not there".
 *
 * @param urlPath as in the request line, still percent-encoded, without query
 */
export async function findStaticFile(root: string, urlPath: string): Promise<string | null> {
  const relative = decodePath(urlPath);
  if (relative === null) return null;
  try {
    const realRoot = await realpath(root);
    const file = await realpath(path.join(realRoot, relative === '' ? 'index.html' : relative));
    if (!file.startsWith(realRoot + path.sep)) return null;
    return (await stat(file)).isFile() ? file : null;
  } catch {
    return null;
  }
}

function decodePath(urlPath: string): string | null {
  try {
    const decoded = decodeURIComponent(urlPath).replace(/^\//, '');
    const parts = decoded.split('/');
    const odd = /[\0\\:]/.test(decoded) || parts.includes('..') || parts.includes('.');
    return odd ? null : decoded;
  } catch {
    return null;
  }
}

/** Sends a file found by {@link findStaticFile}. A client that goes away in the middle is no error. */
export async function sendFile(
  response: ServerResponse,
  root: string,
  file: string,
  onError: (error: unknown) => void,
): Promise<void> {
  const name = path
    .relative(await realpath(root), file)
    .split(path.sep)
    .join('/');
  const { size } = await stat(file);
  response.setHeader(
    'Cache-Control',
    HASHED.test(name) ? 'private, max-age=31536000, immutable' : 'no-cache',
  );
  response.writeHead(200, {
    'Content-Type': MIME[path.extname(file).toLowerCase()] ?? 'application/octet-stream',
    'Content-Length': size,
  });
  if (response.req.method === 'HEAD') {
    response.end();
    return;
  }
  try {
    await pipeline(createReadStream(file), response);
  } catch (error) {
    if (!response.destroyed) response.destroy();
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') onError(error);
  }
}
