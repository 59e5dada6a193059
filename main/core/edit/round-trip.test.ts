import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { expect, onTestFinished, test } from 'vitest';
import { AppError } from '../../../shared/error';
import { openWorkspaceFiles } from '../workspace/workspace-files';
import { applyChunks } from './patch/apply-chunks';
import { parsePatch } from './patch/parse-patch';
import { applyEdits } from './replace';
import { decodeText, encodeText, textFile, type TextFile } from './text-codec';

const RUNS = 500;
const MARK = '@@mark@@';

/** How a text becomes bytes in each form that files have. */
const FORMS: Record<string, (text: string) => Buffer> = {
  'utf-8': (text) => Buffer.from(text),
  'utf-8 with a mark': (text) => Buffer.from(`\ufeff${text}`),
  'utf-16le': (text) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]),
  'utf-16be': (text) => Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(text, 'utf16le').swap16()]),
  'windows-1252': (text) => iconv.encode(text, 'windows-1252'),
  gbk: (text) => iconv.encode(text, 'gbk'),
};
const PIECES = [
  'a',
  ' ',
  '\t',
  '  x',
  'let b = 1;',
  '',
  '\r',
  'é',
  'ß ',
  '“q”',
  '中文',
  '漢',
  '😀',
  '\u00a0',
  '$&',
];
const line = fc.array(fc.constantFrom(...PIECES), { maxLength: 4 }).map((pieces) => pieces.join(''));
const ending = fc.constantFrom('\n', '\r\n');
/** Lines with endings of both kinds; the last one may have none. */
const text = fc
  .tuple(fc.array(fc.tuple(line, ending), { maxLength: 6 }), line, fc.boolean())
  .map(([lines, last, open]) => lines.flat().join('') + (open ? last : ''));
const form = fc.constantFrom(...Object.keys(FORMS));

async function readable(bytes: Buffer): Promise<TextFile | null> {
  try {
    return await decodeText(bytes, 'f');
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
    return null;
  }
}

test('E5: whatever the encoding, mark and endings, what is read is written back byte for byte or refused', async () => {
  await fc.assert(
    fc.asyncProperty(text, form, async (raw, name) => {
      const bytes = (FORMS[name] as (typeof FORMS)[string])(raw);
      const file = await readable(bytes);
      if (file !== null) expect(await encodeText(file, file.raw, 'f')).toEqual(bytes);
    }),
    { numRuns: RUNS },
  );
});

test('E5: the same through a real disk, for any bytes', async () => {
  const root = await mkdtemp(join(tmpdir(), 'round-trip-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const files = await openWorkspaceFiles(root);
  const any = fc.oneof(
    fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array)),
    fc.tuple(text, form).map(([raw, name]) => (FORMS[name] as (typeof FORMS)[string])(raw)),
  );
  await fc.assert(
    fc.asyncProperty(any, async (bytes) => {
      await writeFile(join(root, 'f'), bytes);
      const read = await files.readBytes('f');
      const file = await readable(read.bytes);
      if (file === null) return;
      await files.writeBytes('f', await encodeText(file, file.raw, 'f'), { expectedHash: read.hash });
      expect(await readFile(join(root, 'f'))).toEqual(bytes);
    }),
    { numRuns: 100 },
  );
});

test('E5: one replacement leaves all bytes outside it as they were', async () => {
  let edited = 0;
  await fc.assert(
    fc.asyncProperty(
      text,
      text,
      form,
      fc.constantFrom('new', 'n\nm', '', 'x\n'),
      async (head, tail, name, put) => {
        const encode = FORMS[name] as (typeof FORMS)[string];
        // A lone CR before the mark would join a line break of the replacement.
        const before = encode(head.replace(/\r$/, ''));
        const bytes = encode(head.replace(/\r$/, '') + MARK + tail);
        const after = bytes.subarray(before.length + encode(MARK).length - encode('').length);
        const file = await readable(bytes);
        if (file === null) return;
        const { raw } = applyEdits(file, [{ oldString: MARK, newString: put, replaceAll: false }], 'f');
        const made = await encodeText(file, raw, 'f');
        edited += 1;
        expect(made.subarray(0, before.length)).toEqual(before);
        expect(made.subarray(made.length - after.length)).toEqual(after);
        const middle = await decodeText(made, 'f').catch(() => null);
        if (middle !== null) expect(middle.text).toBe(file.text.replace(MARK, () => put));
      },
    ),
    { numRuns: RUNS },
  );
  expect(edited).toBeGreaterThan(RUNS / 4);
});

const indented = fc
  .tuple(fc.nat({ max: 4 }), fc.constantFrom('if (a) {', 'go();', '}', 'x = "a b";', ''))
  .map(([depth, body]) => (body === '' ? '' : '  '.repeat(depth) + body));
/** What models do to lines they copy. */
const SLIPS: Record<string, (line: string) => string> = {
  none: (each) => each,
  'trailing space': (each) => `${each} `,
  'further in': (each) => (each === '' ? each : `    ${each}`),
  tabs: (each) => each.replace(/^ +/, (spaces) => '\t'.repeat(spaces.length / 2)),
  'wider blanks': (each) => each.replace(/(\S) (\S)/, '$1   $2'),
};

test('E2: however loosely a block is found, no line outside it changes and the changed line arrives', () => {
  let applied = 0;
  const lines = fc.array(indented, { maxLength: 8 });
  fc.assert(
    fc.property(lines, lines, lines, fc.constantFrom(...Object.keys(SLIPS)), (head, block, tail, name) => {
      const slip = SLIPS[name] as (typeof SLIPS)[string];
      const target = '  unique(target);';
      const wanted = [...block, target, ...block];
      const raw = `${[...head, ...wanted, ...tail].join('\n')}\n`;
      const oldString = wanted.map(slip).join('\n');
      const newString = oldString.replace('unique(target)', 'changed(target)');
      try {
        const outcome = applyEdits(
          textFile(raw, 'utf-8', false),
          [{ oldString, newString, replaceAll: false }],
          'f',
        );
        applied += 1;
        expect(outcome.raw).toBe(raw.replace('unique(target)', 'changed(target)'));
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
      }
    }),
    { numRuns: RUNS },
  );
  expect(applied).toBeGreaterThan(RUNS / 2);
});

test('E4: a patch changes its lines and no byte of any other, whatever their endings', () => {
  const lines = fc.array(fc.tuple(fc.constantFrom('a', ' b', '', 'c  ', '\td'), ending), { maxLength: 6 });
  fc.assert(
    fc.property(lines, lines, ending, fc.constantFrom('one', 'two\n  three', ''), (head, tail, own, put) => {
      const before = head.flat().join('');
      const after = tail.flat().join('');
      const file = textFile(`${before}target line${own}${after}`, 'utf-8', false);
      const added = put === '' ? [] : put.split('\n').map((each) => `+${each}`);
      const context = (all: [string, string][]): string[] => all.map(([each]) => ` ${each}`);
      const patch = [
        '*** Begin Patch',
        '*** Update File: f',
        '@@',
        ...context(head.slice(-2)),
        '-target line',
        ...added,
        ...context(tail.slice(0, 2)),
        '*** End Patch',
      ];
      const [section] = parsePatch(patch.join('\n'));
      if (section?.kind !== 'update') throw new Error('no update');
      const { raw } = applyChunks(file, section.chunks, 'f');
      expect(raw.startsWith(before) && raw.endsWith(after)).toBe(true);
      expect(textFile(raw, 'utf-8', false).text).toBe(
        file.text.replace('target line\n', () => (put === '' ? '' : `${put}\n`)),
      );
    }),
    { numRuns: RUNS },
  );
});
