const MAGIC: readonly (readonly [kind: string, hex: string])[] = [
  ['PNG image', '89504e470d0a1a0a'],
  ['JPEG image', 'ffd8ff'],
  ['GIF image', '47494638'],
  ['PDF document', '25504446'],
  ['ZIP archive', '504b0304'],
  ['gzip archive', '1f8b'],
  ['ELF program', '7f454c46'],
  ['SQLite database', '53514c69746520666f726d61742033'],
  ['WebAssembly module', '0061736d'],
  ['Windows program', '4d5a'],
];

/** What a file is, by its first bytes; null for anything that may be text. */
function kindOf(bytes: Buffer): string | null {
  if (bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP')
    return 'WebP image';
  const found = MAGIC.find(([, hex]) => bytes.subarray(0, hex.length / 2).toString('hex') === hex);
  return found?.[0] ?? null;
}

/** What a file is and how large, as one sentence. */
export function nameBinary(relative: string, bytes: Buffer, sizeBytes: number, pixels: string): string {
  const kind = kindOf(bytes) ?? 'binary file';
  const size = sizeBytes < 10_240 ? `${sizeBytes} bytes` : `${Math.round(sizeBytes / 1024)} KB`;
  const area = pixels === '' ? '' : `, ${pixels} pixels`;
  return `\`${relative}\` is ${kind === 'ELF program' ? 'an' : 'a'} ${kind} (${size}${area}).`;
}

/** Two sentences in place of the bytes. */
export const describeBinary = (relative: string, bytes: Buffer, sizeBytes: number): string =>
  `${nameBinary(relative, bytes, sizeBytes, '')} Its contents are not shown.`;
