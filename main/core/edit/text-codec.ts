import { isUtf8 } from 'node:buffer';
import { AppError } from '../../../shared/error';
import { guessLegacyEncoding } from './legacy-encoding';

export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' | 'gbk';
/** `none`: the file has no line break at all. A lone CR is a character, not a line ending. */
export type LineEnding = 'lf' | 'crlf' | 'mixed' | 'none';

/** `certain`: valid UTF-8 or a mark says so. `likely`: told by the bytes; they come back exactly either way. */
export type EncodingConfidence = 'certain' | 'likely';

export const confidenceIn = (encoding: TextEncoding): EncodingConfidence =>
  encoding === 'windows-1252' || encoding === 'gbk' ? 'likely' : 'certain';

/** What the model is told of an encoding that an edit keeps; null for UTF-8, which needs no words. */
export function encodingNote(encoding: TextEncoding): string | null {
  if (encoding === 'utf-8') return null;
  return `${encoding} kept${confidenceIn(encoding) === 'likely' ? ', the likely encoding by its bytes' : ''}`;
}

/** A text file in memory. `encodeText(file, file.raw)` gives its bytes back, exactly. */
export interface TextFile {
  /** As in the file, line endings included, without the byte order mark. */
  raw: string;
  /** LF-normalised: what the model sees and what edits are matched on. */
  text: string;
  encoding: TextEncoding;
  bom: boolean;
  eol: LineEnding;
  /** Whether the last line ends with a line break. */
  finalNewline: boolean;
}

/** A NUL in the first bytes marks a file as binary (the rule of git and ripgrep). */
const BINARY_PROBE_BYTES = 8192;
const UTF8_BOM = Buffer.from([0xef, 0xbb, 0xbf]);
const UTF16LE_BOM = Buffer.from([0xff, 0xfe]);
const UTF16BE_BOM = Buffer.from([0xfe, 0xff]);
const UTF32LE_BOM = Buffer.from([0xff, 0xfe, 0x00, 0x00]);
const UTF32BE_BOM = Buffer.from([0x00, 0x00, 0xfe, 0xff]);

const startsWith = (bytes: Buffer, mark: Buffer): boolean =>
  bytes.length >= mark.length && bytes.compare(mark, 0, mark.length, 0, mark.length) === 0;

/** True for a file that is no text in any encoding known here; UTF-16 and UTF-32 with a mark are not binary. */
export function isBinary(bytes: Buffer): boolean {
  if ([UTF16LE_BOM, UTF16BE_BOM, UTF32BE_BOM].some((mark) => startsWith(bytes, mark))) return false;
  return bytes.subarray(0, BINARY_PROBE_BYTES).includes(0);
}

/**
 * Decodes a file so that it can be written back byte for byte, or refuses.
 *
 * @param name for messages
 * @throws AppError `binary_file`, `unsupported_encoding`
 */
export async function decodeText(bytes: Buffer, name: string): Promise<TextFile> {
  if (startsWith(bytes, UTF32LE_BOM) || startsWith(bytes, UTF32BE_BOM))
    throw unsupported(name, 'it is UTF-32');
  if (startsWith(bytes, UTF16LE_BOM)) return decodeUtf16(bytes, 'utf-16le', name);
  if (startsWith(bytes, UTF16BE_BOM)) return decodeUtf16(bytes, 'utf-16be', name);
  if (isBinary(bytes)) {
    throw new AppError('binary_file', `\`${name}\` is a binary file (${bytes.length} bytes).`, {
      audience: 'model',
      hint: 'Binary files are neither shown nor edited as text.',
      detail: { path: name, sizeBytes: bytes.length },
    });
  }
  if (!isUtf8(bytes)) return await decodeLegacy(bytes, name);
  const bom = startsWith(bytes, UTF8_BOM);
  return textFile(bytes.toString('utf8', bom ? UTF8_BOM.length : 0), 'utf-8', bom);
}

/**
 * The bytes of `raw` in the encoding of `file`.
 *
 * @throws AppError `unsupported_encoding` when a character does not exist in that encoding; never writes a replacement
 */
export async function encodeText(
  file: Pick<TextFile, 'encoding' | 'bom'>,
  raw: string,
  name: string,
): Promise<Buffer> {
  switch (file.encoding) {
    case 'utf-8':
      return encodeUtf8(raw, file.bom, name);
    case 'utf-16le':
      return Buffer.concat([UTF16LE_BOM, Buffer.from(raw, 'utf16le')]);
    case 'utf-16be':
      return Buffer.concat([UTF16BE_BOM, Buffer.from(raw, 'utf16le').swap16()]);
    case 'windows-1252':
    case 'gbk':
      return await encodeLegacy(file.encoding, raw, name);
  }
}

/** A text as it would be after an edit, with the facts of the file it came from. */
export function textFile(raw: string, encoding: TextEncoding, bom: boolean): TextFile {
  const eol = lineEndingOf(raw);
  return {
    raw,
    text: eol === 'crlf' || eol === 'mixed' ? raw.replaceAll('\r\n', '\n') : raw,
    encoding,
    bom,
    eol,
    finalNewline: raw.endsWith('\n'),
  };
}

function lineEndingOf(raw: string): LineEnding {
  if (!raw.includes('\n')) return 'none';
  if (!raw.includes('\r\n')) return 'lf';
  for (let at = raw.indexOf('\n'); at !== -1; at = raw.indexOf('\n', at + 1)) {
    if (raw[at - 1] !== '\r') return 'mixed';
  }
  return 'crlf';
}

/** The ending most lines have; LF for a file without line breaks. */
export function dominantEnding(file: TextFile): '\n' | '\r\n' {
  if (file.eol === 'crlf') return '\r\n';
  if (file.eol !== 'mixed') return '\n';
  const crlf = file.raw.length - file.text.length;
  let breaks = 0;
  for (let at = file.text.indexOf('\n'); at !== -1; at = file.text.indexOf('\n', at + 1)) breaks += 1;
  return crlf * 2 > breaks ? '\r\n' : '\n';
}

function decodeUtf16(bytes: Buffer, encoding: 'utf-16le' | 'utf-16be', name: string): TextFile {
  if (bytes.length % 2 !== 0)
    throw unsupported(name, `its mark says ${encoding} but it has an odd number of bytes`);
  const body = bytes.subarray(UTF16LE_BOM.length);
  const little = encoding === 'utf-16le' ? body : Buffer.from(body).swap16();
  return textFile(little.toString('utf16le'), encoding, true);
}

async function decodeLegacy(bytes: Buffer, name: string): Promise<TextFile> {
  const encoding = guessLegacyEncoding(bytes);
  if (encoding === null) throw unsupported(name, 'it is not UTF-8 and its encoding is not certain');
  const iconv = await import('iconv-lite');
  const raw = iconv.decode(bytes, encoding);
  if (!iconv.encode(raw, encoding).equals(bytes)) throw unsupported(name, `it is not valid ${encoding}`);
  return textFile(raw, encoding, false);
}

async function encodeLegacy(encoding: 'windows-1252' | 'gbk', raw: string, name: string): Promise<Buffer> {
  const iconv = await import('iconv-lite');
  const bytes = iconv.encode(raw, encoding);
  if (iconv.decode(bytes, encoding) !== raw) throw unencodable(name, encoding);
  return bytes;
}

function encodeUtf8(raw: string, bom: boolean, name: string): Buffer {
  if (!raw.isWellFormed()) throw unencodable(name, 'utf-8');
  const body = Buffer.from(raw, 'utf8');
  return bom ? Buffer.concat([UTF8_BOM, body]) : body;
}

const unsupported = (name: string, why: string): AppError =>
  new AppError('unsupported_encoding', `\`${name}\` can't be handled as text: ${why}.`, {
    audience: 'model',
    hint: 'Convert the file to UTF-8 first; nothing was changed.',
    detail: { path: name },
  });

const unencodable = (name: string, encoding: string): AppError =>
  new AppError(
    'unsupported_encoding',
    `\`${name}\` is ${encoding}, and the new text has characters that do not exist there.`,
    {
      audience: 'model',
      hint: 'Leave those characters out, or convert the file to UTF-8 first; nothing was changed.',
      detail: { path: name, encoding },
    },
  );
