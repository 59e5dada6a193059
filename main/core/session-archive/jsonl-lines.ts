import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { AppError } from '../../../shared/error';

const CHUNK_BYTES = 1 << 20;
const NEWLINE = 0x0a;

export interface JsonlLimits {
  /** Bytes of a file and of a line; a longer line is given as null. */
  file: number;
  line: number;
  lines: number;
}

/**
 * Opens a regular file for reading. Links are not followed and nothing that could block is read: the folder may come from
 * anybody.
 *
 * @returns null when there is no such file
 * @throws AppError `bad_argument` (no regular file), `file_too_large`, `io_failed`
 */
export async function openRegular(path: string, maxBytes: number): Promise<FileHandle | null> {
  let file: FileHandle;
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    if (code === 'ELOOP') throw notRegular(path);
    throw new AppError('io_failed', `${path} could not be read.`, {
      hint: 'Check its permissions.',
      cause: error,
      detail: { path },
    });
  }
  const facts = await file.stat();
  if (facts.isFile() && facts.size <= maxBytes) return file;
  await file.close();
  throw facts.isFile()
    ? new AppError('file_too_large', `${path} is too large to be read (${facts.size} bytes).`)
    : notRegular(path);
}

const notRegular = (path: string): AppError =>
  new AppError('bad_argument', `${path} is a link or no ordinary file, so it was not read.`, {
    detail: { path },
  });

/** Gives the lines of a file one by one, without their ends; null for one that is too long. Holds one line at a time. */
export async function* jsonlLines(file: FileHandle, limits: JsonlLimits): AsyncGenerator<string | null> {
  let parts: Buffer[] = [];
  let bytes = 0;
  let count = 0;
  const take = (): string | null => {
    const line = bytes > limits.line ? null : Buffer.concat(parts).toString('utf8');
    [parts, bytes] = [[], 0];
    count += 1;
    if (count <= limits.lines) return line;
    throw new AppError('file_too_large', `A file has more than ${limits.lines} lines.`);
  };
  for (let position = 0; ;) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, position);
    if (bytesRead === 0) break;
    position += bytesRead;
    let from = 0;
    const chunk = buffer.subarray(0, bytesRead);
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      if (bytes <= limits.line) parts.push(chunk.subarray(from, end));
      bytes += end - from;
      yield take();
      from = end + 1;
    }
    // What is beyond the limit is not kept, only counted.
    if (bytes <= limits.line) parts.push(chunk.subarray(from));
    bytes += bytesRead - from;
  }
  if (bytes > 0) yield take();
}

/** How often a broken line is searched for the record that was glued to its end. */
const MAX_RECOVERY = 16;

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * The value of a line, as `read` takes it; null when nothing in it can be used. NUL bytes around a record are what a crash
 * leaves in a file; a record behind a broken one on the same line is still found (case-H02).
 */
export function readRecord<T>(line: string | null, read: (value: unknown) => T | null): T | null {
  if (line === null) return null;
  const text = line.replace(/^[\0\s\ufeff]+|[\0\s]+$/g, '');
  const whole = parse(text);
  if (whole !== undefined) return read(whole);
  let at = text.indexOf('{"', 1);
  for (let tries = 0; at >= 0 && tries < MAX_RECOVERY; tries += 1, at = text.indexOf('{"', at + 1)) {
    const value = parse(text.slice(at));
    const found = value === undefined ? null : read(value);
    if (found !== null) return found;
  }
  return null;
}
