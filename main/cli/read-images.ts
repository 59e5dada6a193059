import { open } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../shared/error';
import type { GivenImage } from '../../shared/image/image-facts';
import { MAX_IMAGE_BYTES } from '../../shared/image/image-limits';
import { inspectImage } from '../../shared/image/inspect-image';

/**
 * The images that are named on the command line. Whoever names a file wants it to be seen, so a bad one stops the run.
 *
 * @param paths absolute, or relative to `cwd`
 * @throws AppError `bad_argument` for what can't be read or is no image, `file_too_large` over 5 MB
 */
export async function readImages(paths: readonly string[], cwd: string): Promise<GivenImage[]> {
  return await Promise.all(paths.map((file) => readImage(file, path.resolve(cwd, file))));
}

async function readImage(named: string, file: string): Promise<GivenImage> {
  const bytes = await readSmall(named, file);
  const found = inspectImage(bytes);
  if (!found.ok) {
    throw new AppError('bad_argument', `${named} can't be sent as an image: ${found.why}.`);
  }
  return { mime: found.mime, base64: bytes.toString('base64'), name: path.basename(file) };
}

async function readSmall(named: string, file: string): Promise<Buffer> {
  const handle = await open(file, 'r').catch((error: unknown) => {
    throw new AppError('bad_argument', `${named} can't be read: ${(error as Error).message}`);
  });
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) throw new AppError('bad_argument', `${named} is no file.`);
    if (stat.size > MAX_IMAGE_BYTES) {
      const size = (stat.size / (1024 * 1024)).toFixed(1);
      throw new AppError('file_too_large', `${named} has ${size} MB; an image can have 5 MB at most.`);
    }
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}
