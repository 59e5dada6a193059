import { LARGE_FILE_BYTES, type SaveResult } from '../../../shared/contract/files';
import { AppError } from '../../../shared/error';
import { Sha256 } from '../../../shared/model/ids';
import { decodeText, encodeText, textFile } from '../edit/text-codec';
import { MAX_OPEN_BYTES, readContent } from './file-content';
import { restoreLineEndings } from './line-endings';
import type { FileBytes, WorkspaceFiles } from './types';

export interface SaveRequest {
  path: string;
  /** LF line ends. */
  text: string;
  /** Hash of the bytes the editor loaded; null for a new file. */
  baseHash: string | null;
  overwrite: boolean;
  /** `utf-8` gives the file's encoding up; default `keep`. */
  encoding?: 'keep' | 'utf-8';
}

const NEW_FILE = textFile('', 'utf-8', false);

async function currentBytes(files: WorkspaceFiles, path: string): Promise<FileBytes | null> {
  try {
    return await files.readBytes(path, { maxBytes: MAX_OPEN_BYTES });
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return null;
    throw error;
  }
}

async function conflict(files: WorkspaceFiles, path: string, exists: boolean): Promise<SaveResult> {
  return { kind: 'conflict', current: exists ? await readContent(files, path) : null };
}

/** The text as bytes in the encoding, with the mark and the line ends of what is on the disk now. */
async function encode(current: FileBytes | null, { path, text, encoding }: SaveRequest): Promise<Buffer> {
  const original = current === null ? NEW_FILE : await decodeText(current.bytes, path);
  const form = encoding === 'utf-8' ? NEW_FILE : original;
  return await encodeText(form, restoreLineEndings(original, text), path);
}

function refuseLarge(current: FileBytes | null, { path, text }: SaveRequest): void {
  if ((current?.sizeBytes ?? 0) <= LARGE_FILE_BYTES && text.length <= LARGE_FILE_BYTES) return;
  throw new AppError('file_too_large', `${path} is larger than 20 MB and is not saved from the editor.`, {
    hint: 'Change it with another program.',
    detail: { path, limitBytes: LARGE_FILE_BYTES },
  });
}

const saved = (hash: string, mtimeMs: number): SaveResult => ({
  kind: 'saved',
  hash: Sha256.parse(hash),
  mtimeMs,
});

/**
 * Saves editor text. The bytes on the disk decide whether somebody else changed the file, not its time or size (case-D05,
 * case-D06); then nothing is written and the answer holds what is there. A file that is already as wanted is left alone.
 *
 * @throws AppError `binary_file`, `unsupported_encoding` (also for characters the file's encoding lacks), `file_too_large`,
 *   `disk_full`, `io_failed`, and those of the path jail
 */
export async function saveContent(files: WorkspaceFiles, request: SaveRequest): Promise<SaveResult> {
  const current = await currentBytes(files, request.path);
  refuseLarge(current, request);
  const isExpected = request.overwrite || (current?.hash ?? null) === request.baseHash;
  if (!isExpected && current === null) return { kind: 'conflict', current: null };
  try {
    const bytes = await encode(current, request);
    if (current?.bytes.equals(bytes) === true) return saved(current.hash, current.mtimeMs);
    if (!isExpected) return await conflict(files, request.path, true);
    const { hash, mtimeMs } = await files.writeBytes(request.path, bytes, {
      expectedHash: current?.hash ?? null,
    });
    return saved(hash, mtimeMs);
  } catch (error) {
    if (!isExpected && error instanceof AppError && UNREADABLE.has(error.code)) {
      return await conflict(files, request.path, true);
    }
    if (!(error instanceof AppError) || error.code !== 'stale') throw error;
    return await conflict(files, request.path, (await files.hashOf(request.path)) !== null);
  }
}

/** Somebody put something else than text in the file's place: that is a conflict too. */
const UNREADABLE = new Set(['binary_file', 'unsupported_encoding']);
