/**
 * Tells windows-1252 and GBK apart where the bytes leave no doubt, and says nothing where they do. Both encodings accept
 * nearly any bytes, so being decodable proves little; what counts is how bytes above 0x7F stand together:
 *
 * - Chinese text in GBK comes as runs of whole pairs, nearly all from the GB 2312 rows (lead B0–F7, trail A1–FE; symbols
 *   A1–A9).
 * - Western text has accented letters one by one between ASCII letters.
 */
export function guessLegacyEncoding(bytes: Buffer): 'windows-1252' | 'gbk' | null {
  const runs = highRuns(bytes);
  const gbk = runs.every((run) => run.length % 2 === 0 && isGb2312(run));
  const western = runs.every((run) => isWestern(run));
  if (gbk === western) return null;
  return gbk ? 'gbk' : 'windows-1252';
}

/** At most this many runs are looked at: enough to be sure, and large files stay cheap. */
const MAX_RUNS = 5000;

function highRuns(bytes: Buffer): Buffer[] {
  const runs: Buffer[] = [];
  for (let at = 0; at < bytes.length && runs.length < MAX_RUNS; at += 1) {
    if ((bytes[at] as number) < 0x80) continue;
    const start = at;
    while (at < bytes.length && (bytes[at] as number) >= 0x80) at += 1;
    runs.push(bytes.subarray(start, at));
  }
  return runs;
}

function isGb2312(run: Buffer): boolean {
  for (let at = 0; at < run.length; at += 2) {
    const lead = run[at] as number;
    const trail = run[at + 1] as number;
    const hanzi = lead >= 0xb0 && lead <= 0xf7;
    const symbol = lead >= 0xa1 && lead <= 0xa9;
    if (!(hanzi || symbol) || trail < 0xa1 || trail === 0xff) return false;
  }
  return true;
}

const UNDEFINED_IN_1252 = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d]);
/** Quotes, dashes, ellipsis, euro, and the signs of the Latin-1 row that stand in Western prose and code. */
const SIGNS = new Set([
  0x80, 0x82, 0x84, 0x85, 0x91, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x99, 0xa0, 0xa1, 0xa3, 0xa7, 0xa9, 0xaa,
  0xab, 0xae, 0xb0, 0xb1, 0xb2, 0xb3, 0xb4, 0xb5, 0xb7, 0xba, 0xbb, 0xbf, 0xd7, 0xf7,
]);

/** One letter (or two small ones, as in "créée"), with signs round it. */
function isWestern(run: Buffer): boolean {
  if (run.some((byte) => UNDEFINED_IN_1252.has(byte))) return false;
  const letters = run.filter((byte) => !SIGNS.has(byte));
  if (letters.length > 2 || run.length > 4) return false;
  const accented = (byte: number): boolean =>
    byte >= 0xc0 || byte === 0x8a || byte === 0x9a || byte === 0x8c || byte === 0x9c;
  return letters.every(accented) && (letters.length < 2 || letters.every((byte) => byte >= 0xe0));
}
