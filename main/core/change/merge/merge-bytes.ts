import { AppError } from '../../../../shared/error';
import { changesBetween } from '../../../../shared/text/line-changes';
import type { MergePiece } from '../../../../shared/text/merge-lines';
import { mergeTexts } from '../../../../shared/text/merge-texts';
import { decodeText, encodeText, type TextFile } from '../../edit/text-codec';

/** What a three-way merge of files made. `pieces` is null where the sides can only be taken as a whole. */
export type BytesMerge =
  { isClean: true; bytes: Buffer } | { isClean: false; pieces: MergePiece[] | null; why: string };

/**
 * Three-way merge of a file's bytes. With `ours` equal to `base` the result is `theirs` byte for byte. Encoding and byte
 * order mark are kept as in `ours` unless it is `theirs` that changed them.
 */
export async function mergeBytes(base: Buffer, ours: Buffer, theirs: Buffer): Promise<BytesMerge> {
  if (ours.equals(base) || ours.equals(theirs)) return { isClean: true, bytes: theirs };
  if (theirs.equals(base)) return { isClean: true, bytes: ours };
  const texts = await Promise.all([base, ours, theirs].map(decoded));
  if (texts.includes(null))
    return { isClean: false, pieces: null, why: 'It is no text, and was changed since.' };
  const [b, o, t] = texts as [TextFile, TextFile, TextFile];
  const merged = mergeTexts(b.raw, o.raw, t.raw, changesBetween);
  if (!merged.isClean) {
    return { isClean: false, pieces: merged.pieces, why: 'The same lines were changed since.' };
  }
  const bytes = await encoded({ ...pickEncoding(b, o, t), raw: merged.text });
  if (bytes === null) return { isClean: false, pieces: null, why: 'Its encoding was changed since.' };
  return { isClean: true, bytes };
}

const sameEncoding = (a: TextFile, b: TextFile): boolean => a.encoding === b.encoding && a.bom === b.bom;

const pickEncoding = (
  base: TextFile,
  ours: TextFile,
  theirs: TextFile,
): Pick<TextFile, 'encoding' | 'bom'> => (sameEncoding(ours, base) ? theirs : ours);

async function decoded(bytes: Buffer): Promise<TextFile | null> {
  try {
    return await decodeText(bytes, '');
  } catch (error) {
    if (isNoText(error)) return null;
    throw error;
  }
}

async function encoded(file: Pick<TextFile, 'encoding' | 'bom' | 'raw'>): Promise<Buffer | null> {
  try {
    return await encodeText(file, file.raw, '');
  } catch (error) {
    if (isNoText(error)) return null;
    throw error;
  }
}

/** True for the refusals of the codec; every other failure is one. */
export const isNoText = (error: unknown): boolean =>
  error instanceof AppError && ['binary_file', 'unsupported_encoding'].includes(error.code);
