/** What the host's names of encodings are called on screen. */
const ENCODINGS: Readonly<Record<string, string>> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16 LE',
  'utf-16be': 'UTF-16 BE',
  'utf-32le': 'UTF-32 LE',
  'utf-32be': 'UTF-32 BE',
  latin1: 'ISO 8859-1',
  'windows-1252': 'Windows-1252',
  gbk: 'GBK',
  gb18030: 'GB18030',
  big5: 'Big5',
  shift_jis: 'Shift_JIS',
  'euc-jp': 'EUC-JP',
  'euc-kr': 'EUC-KR',
};

/** Byte order marks are worth a word only where they are not usual. */
export function encodingLabel(encoding: string, bom: boolean): string {
  const name = ENCODINGS[encoding.toLowerCase()] ?? encoding.toUpperCase();
  return bom && encoding.toLowerCase() === 'utf-8' ? `${name} BOM` : name;
}

export const eolLabel = (eol: 'lf' | 'crlf' | 'mixed'): string =>
  ({ lf: 'LF', crlf: 'CRLF', mixed: 'Mixed' })[eol];

export const indentLabel = (insertSpaces: boolean, size: number): string =>
  insertSpaces ? `Spaces: ${size}` : `Tabs: ${size}`;
