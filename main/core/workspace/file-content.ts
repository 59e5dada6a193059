import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { extname } from 'node:path';
import { LARGE_FILE_BYTES, LARGE_FILE_LINES, type FileContent } from '../../../shared/contract/files';
import { Sha256 } from '../../../shared/model/ids';
import { AppError } from '../../../shared/error';
import { hasMoreLines } from '../../../shared/text/has-more-lines';
import { decodeText, isBinary, type TextFile } from '../edit/text-codec';
import type { FileBytes, ResolvedPath, WorkspaceFiles } from './types';

/** Over this only the beginning is shown. */
export const MAX_OPEN_BYTES = 100 * 1024 * 1024;
const HEAD_BYTES = 64 * 1024;
const HEX_BYTES = 512;
const HEX_ROW_BYTES = 16;

/** Extension → type and the bytes such a file begins with, at an offset. */
const IMAGES: Record<string, { mime: string; magic: string; at?: number }> = {
  '.png': { mime: 'image/png', magic: '89504e47' },
  '.jpg': { mime: 'image/jpeg', magic: 'ffd8ff' },
  '.jpeg': { mime: 'image/jpeg', magic: 'ffd8ff' },
  '.gif': { mime: 'image/gif', magic: '47494638' },
  '.webp': { mime: 'image/webp', magic: '57454250', at: 8 },
  '.bmp': { mime: 'image/bmp', magic: '424d' },
  '.ico': { mime: 'image/x-icon', magic: '00000100' },
  '.avif': { mime: 'image/avif', magic: '66747970', at: 4 },
};

function imageType(path: string, bytes: Buffer): string | null {
  const image = IMAGES[extname(path).toLowerCase()];
  if (!image || bytes.length > LARGE_FILE_BYTES) return null;
  const magic = Buffer.from(image.magic, 'hex');
  const at = image.at ?? 0;
  return bytes.subarray(at, at + magic.length).equals(magic) ? image.mime : null;
}

/** Offset, bytes and printable characters of the first half kilobyte. */
export function hexPreview(bytes: Buffer): string {
  const rows: string[] = [];
  for (let at = 0; at < Math.min(bytes.length, HEX_BYTES); at += HEX_ROW_BYTES) {
    const row = bytes.subarray(at, Math.min(at + HEX_ROW_BYTES, HEX_BYTES));
    const hex = [...row].map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
    const plain = [...row]
      .map((byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '.'))
      .join('');
    rows.push(`${at.toString(16).padStart(8, '0')}  ${hex.padEnd(HEX_ROW_BYTES * 3 - 1)}  ${plain}`);
  }
  return rows.join('\n');
}

async function isReadOnly(resolved: ResolvedPath, mode: number): Promise<boolean> {
  if ((mode & 0o222) === 0) return true;
  try {
    await access(resolved.absolute, constants.W_OK);
    return false;
  } catch {
    return true;
  }
}

async function textContent(resolved: ResolvedPath, file: FileBytes, text: TextFile): Promise<FileContent> {
  const large = file.sizeBytes > LARGE_FILE_BYTES || hasMoreLines(text.text, LARGE_FILE_LINES);
  return {
    kind: 'text',
    path: resolved.relative,
    realPath: resolved.realRelative,
    text: text.text,
    hash: Sha256.parse(file.hash),
    encoding: text.encoding,
    bom: text.bom,
    eol: text.eol === 'none' ? 'lf' : text.eol,
    large,
    readOnly: large || (await isReadOnly(resolved, file.mode)),
    sizeBytes: file.sizeBytes,
    mtimeMs: file.mtimeMs,
  };
}

async function contentOf(resolved: ResolvedPath, file: FileBytes): Promise<FileContent> {
  const { bytes, sizeBytes } = file;
  const path = resolved.relative;
  const mime = imageType(path, bytes);
  if (mime !== null) return { kind: 'image', path, mime, base64: bytes.toString('base64'), sizeBytes };
  if (isBinary(bytes)) return { kind: 'binary', path, sizeBytes, hexPreview: hexPreview(bytes) };
  try {
    return await textContent(resolved, file, await decodeText(bytes, path));
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'unsupported_encoding') throw error;
    return { kind: 'undecodable', path, sizeBytes, reason: error.message };
  }
}

async function headOf(files: WorkspaceFiles, path: string): Promise<{ head: string; sizeBytes: number }> {
  let head = Buffer.alloc(0);
  const { sizeBytes } = await files.scan(path, (chunk) => {
    head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES - head.length)]);
    return head.length < HEAD_BYTES;
  });
  return {
    sizeBytes,
    head: isBinary(head) ? hexPreview(head) : new TextDecoder().decode(head, { stream: true }),
  };
}

/**
 * A file as an editor can show it: text, image, or a notice for what is binary, too large or in no known encoding.
 *
 * @throws AppError `not_found`, `bad_argument` for folders and devices, and those of the path jail
 */
export async function readContent(files: WorkspaceFiles, path: string): Promise<FileContent> {
  const resolved = await files.resolve(path);
  try {
    return await contentOf(resolved, await files.readBytes(path, { maxBytes: MAX_OPEN_BYTES }));
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'file_too_large') throw error;
    return { kind: 'too_large', path: resolved.relative, ...(await headOf(files, path)) };
  }
}
