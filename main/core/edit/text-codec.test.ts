import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AppError } from '../../../shared/error';
import { decodeText, dominantEnding, encodeText } from './text-codec';

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');
const roundTrip = async (bytes: Buffer): Promise<Buffer> => {
  const file = await decodeText(bytes, 'f');
  return await encodeText(file, file.raw, 'f');
};

test('case-E07: a UTF-8 mark is kept and the model never sees it', async () => {
  const bytes = Buffer.from('\ufeffhello\n');
  expect(await decodeText(bytes, 'f')).toMatchObject({ text: 'hello\n', bom: true, encoding: 'utf-8' });
  expect(await roundTrip(bytes)).toEqual(bytes);
});

test('case-E01: CRLF, LF and mixed endings are told apart and kept', async () => {
  const cases = [
    ['a\r\nb\r\n', 'crlf', '\r\n'],
    ['a\nb\n', 'lf', '\n'],
    ['a\r\nb\nc\r\n', 'mixed', '\r\n'],
    ['a\r\nb\nc\n', 'mixed', '\n'],
    ['a', 'none', '\n'],
    ['a\rb', 'none', '\n'],
  ] as const;
  for (const [raw, eol, dominant] of cases) {
    const file = await decodeText(Buffer.from(raw), 'f');
    expect([raw, file.eol, dominantEnding(file)]).toEqual([raw, eol, dominant]);
    expect(file.text).toBe(raw.replaceAll('\r\n', '\n'));
    expect((await roundTrip(Buffer.from(raw))).toString()).toBe(raw);
  }
});

test('case-E11: UTF-16 with a mark round-trips; UTF-32 and half characters are refused', async () => {
  const little = Buffer.concat([hex('fffe'), Buffer.from('hé\r\n', 'utf16le')]);
  const big = Buffer.concat([hex('feff'), Buffer.from('hé\r\n', 'utf16le').swap16()]);
  expect(await decodeText(little, 'f')).toMatchObject({ text: 'hé\n', encoding: 'utf-16le', eol: 'crlf' });
  expect(await decodeText(big, 'f')).toMatchObject({ text: 'hé\n', encoding: 'utf-16be' });
  expect(await roundTrip(little)).toEqual(little);
  expect(await roundTrip(big)).toEqual(big);
  for (const bad of ['fffe0000 41000000', '0000feff 00000041', 'fffe 41']) {
    await expect(decodeText(hex(bad), 'f')).rejects.toMatchObject({ code: 'unsupported_encoding' });
  }
});

test('case-E09: a windows-1252 file is recognised, kept byte for byte and never gets a replacement character', async () => {
  const bytes = Buffer.from('const x = 1;\n// caf\xe9\n', 'latin1');
  const file = await decodeText(bytes, 'f');
  expect(file).toMatchObject({ encoding: 'windows-1252', text: 'const x = 1;\n// café\n' });
  expect(await encodeText(file, file.raw.replace('1', '2'), 'f')).toEqual(
    Buffer.from('const x = 2;\n// caf\xe9\n', 'latin1'),
  );
  await expect(encodeText(file, '漢', 'f')).rejects.toMatchObject({ code: 'unsupported_encoding' });
});

test('case-E10: a GBK file is recognised; bytes that could be either are refused', async () => {
  const gbk = Buffer.concat([Buffer.from('const x = 1\n'), hex('d6d0cec4'), Buffer.from('\n')]);
  expect(await decodeText(gbk, 'f')).toMatchObject({ encoding: 'gbk', text: 'const x = 1\n中文\n' });
  expect(await roundTrip(gbk)).toEqual(gbk);
  await expect(decodeText(hex('61 e9e8 62'), 'f')).rejects.toMatchObject({ code: 'unsupported_encoding' });
  await expect(decodeText(hex('61 81 8d 62'), 'f')).rejects.toMatchObject({ code: 'unsupported_encoding' });
  const cyrillic = Buffer.from('\xcf\xf0\xe8\xe2\xe5\xf2, \xec\xe8\xf0!', 'latin1');
  await expect(decodeText(cyrillic, 'f')).rejects.toMatchObject({ code: 'unsupported_encoding' });
});

test('a NUL among the first bytes means binary', async () => {
  await expect(decodeText(hex('7f454c4600'), 'f')).rejects.toMatchObject({ code: 'binary_file' });
  await expect(decodeText(hex('89504e470d0a1a0a00'), 'f')).rejects.toMatchObject({ code: 'binary_file' });
});

test('any bytes either come back exactly or are refused', async () => {
  let readable = 0;
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (array) => {
      const bytes = Buffer.from(array);
      const file = await decodeText(bytes, 'f').catch((error: unknown) => {
        expect(error).toBeInstanceOf(AppError);
        return null;
      });
      if (file === null) return;
      readable += 1;
      expect(await encodeText(file, file.raw, 'f')).toEqual(bytes);
    }),
    { numRuns: 2000 },
  );
  expect(readable).toBeGreaterThan(100);
});
