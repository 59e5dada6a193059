import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergeBytes } from './merge-bytes';

const BOM = '\ufeff';
const utf16 = (text: string): Buffer =>
  Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);

async function merged(base: Buffer | string, ours: Buffer | string, theirs: Buffer | string) {
  const [b, o, t] = [base, ours, theirs].map((side) => Buffer.from(side as string));
  const result = await mergeBytes(b as Buffer, o as Buffer, t as Buffer);
  return result.isClean ? result.bytes : result;
}

test('with one side unchanged the other one is taken byte for byte, whatever the bytes are', async () => {
  const bytes = fc.uint8Array({ maxLength: 40 }).map((each) => Buffer.from(each));
  await fc.assert(
    fc.asyncProperty(bytes, bytes, async (base, other) => {
      expect(await merged(base, base, other)).toEqual(other);
      expect(await merged(base, other, base)).toEqual(other);
      expect(await merged(base, other, other)).toEqual(other);
    }),
  );
});

test('faults §1.4: mark, line endings and missing last line break of ours stay', async () => {
  expect(await merged(`${BOM}a\r\nb\r\nc`, `${BOM}a\r\nb\r\nc\r\nmine`, `${BOM}A\r\nb\r\nc`)).toEqual(
    Buffer.from(`${BOM}A\r\nb\r\nc\r\nmine`),
  );
});

test('UTF-16 and a legacy encoding are merged in their own bytes', async () => {
  expect(await merged(utf16('a\nb\n'), utf16('a\nmine\n'), utf16('ä\nb\n'))).toEqual(utf16('ä\nmine\n'));
  const latin = (text: string): Buffer => Buffer.from(text, 'latin1');
  expect(
    await merged(latin('caf\xe9 \xfcber\nb\n'), latin('caf\xe9 \xfcber\nmine\n'), latin('caf\xe9\nb\n')),
  ).toEqual(latin('caf\xe9\nmine\n'));
});

test('a mark or encoding that theirs takes away goes, with the later lines of ours kept', async () => {
  expect(await merged(`${BOM}a\nb\n`, `${BOM}a\nmine\n`, 'a\nb\n')).toEqual(Buffer.from('a\nmine\n'));
  expect(await merged(utf16('a\nb\n'), utf16('a\nmine\n'), 'a\nb\n')).toEqual(Buffer.from('a\nmine\n'));
});

test('binary files are taken as a whole or in conflict', async () => {
  const binary = (text: string): Buffer => Buffer.from(`\0${text}`);
  expect(await merged(binary('a\nb\n'), binary('a\nX\n'), binary('Y\nb\n'))).toMatchObject({
    isClean: false,
    pieces: null,
  });
});

test('the same lines changed on both sides are in conflict', async () => {
  expect(await merged('a\n', 'b\n', 'c\n')).toMatchObject({
    isClean: false,
    pieces: [{ kind: 'conflict', ours: ['b\n'], theirs: ['c\n'] }],
  });
});
