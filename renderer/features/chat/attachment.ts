import type { ImageFacts } from '../../../shared/image/image-facts';
import { MAX_IMAGES, MAX_IMAGES_BYTES } from '../../../shared/image/image-limits';
import { inspectImage } from '../../../shared/image/inspect-image';

/** A picture that waits in the message box. */
export interface Attachment extends ImageFacts {
  readonly id: string;
  readonly name: string;
  readonly base64: string;
}

/** What became of files that somebody gave. */
export interface Attached {
  attachments: Attachment[];
  /** One sentence for each file that can't be attached. */
  problems: string[];
}

/** Bytes that one call of `fromCharCode` takes. */
const SLICE = 0x8000;

function base64Of(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += SLICE)
    text += String.fromCharCode(...bytes.subarray(at, at + SLICE));
  return btoa(text);
}

/** Pictures of the clipboard all come as `image.png`; a number tells them apart. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  const [, stem = 'image', end = ''] = /^(.*?)(\.[^.]*)?$/.exec(name.trim() || 'image') ?? [];
  if (!taken.has(`${stem}${end}`)) return `${stem}${end}`;
  for (let n = 2; ; n += 1) if (!taken.has(`${stem} ${n}${end}`)) return `${stem} ${n}${end}`;
}

const MEGABYTE = 1024 * 1024;

/** Why a further picture of this size does not go into the message; null when it does. */
function tooMuch(known: readonly Attachment[], bytes: number): string | null {
  if (known.length >= MAX_IMAGES) return `a message takes ${MAX_IMAGES} images`;
  const total = known.reduce((sum, each) => sum + each.bytes, bytes);
  return total > MAX_IMAGES_BYTES ? `a message takes ${MAX_IMAGES_BYTES / MEGABYTE} MB of images` : null;
}

/**
 * Reads files as pictures, by what they hold and not by their names.
 *
 * @param known what is attached already: the limits are for the message
 */
export async function attach(
  known: readonly Attachment[],
  files: readonly Pick<File, 'name' | 'arrayBuffer' | 'size'>[],
): Promise<Attached> {
  const attachments: Attachment[] = [];
  const problems: string[] = [];
  for (const file of files) {
    const name = file.name || 'image';
    const all = [...known, ...attachments];
    const why = tooMuch(all, file.size);
    const found = why === null ? await read(file) : { problem: why };
    if ('problem' in found) {
      problems.push(`${name} was not attached: ${found.problem}.`);
      continue;
    }
    const taken = new Set(all.map((each) => each.name));
    attachments.push({ ...found, id: crypto.randomUUID(), name: freeName(name, taken) });
  }
  return { attachments, problems };
}

async function read(
  file: Pick<File, 'arrayBuffer' | 'size'>,
): Promise<(Omit<ImageFacts, 'name'> & { base64: string }) | { problem: string }> {
  const bytes = await file.arrayBuffer().then(
    (buffer) => new Uint8Array(buffer),
    () => null,
  );
  // A folder is given as a file that can't be read.
  if (bytes === null) return { problem: 'it can’t be read' };
  const found = inspectImage(bytes);
  if (!found.ok) return { problem: found.why };
  const { mime, width, height, bytes: size } = found;
  return { mime, width, height, bytes: size, base64: base64Of(bytes) };
}

export const dataUrl = ({ mime, base64 }: { mime: string; base64: string }): string =>
  `data:${mime};base64,${base64}`;
