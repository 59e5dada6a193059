import { open } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { startBench } from '../testing/tool-bench';

const lines = (count: number): string => Array.from({ length: count }, (_, at) => `l${at + 1}\n`).join('');

test('H13: 300 numbered lines a call, the total, and how to go on', async () => {
  const bench = await startBench({ files: { a: lines(700) } });
  const text = await bench.text('read_file', { path: 'a' });
  expect(text.startsWith('1| l1\n2| l2\n')).toBe(true);
  expect(text.endsWith('300| l300\n(lines 1–300 of 700; read on with start_line=301)')).toBe(true);
  expect(await bench.text('read_file', { path: 'a', start_line: 699 })).toBe(
    '699| l699\n700| l700\n(end of file, 700 lines)',
  );
  expect(await bench.text('read_file', { path: 'a', start_line: '2', end_line: '3' })).toBe(
    '2| l2\n3| l3\n(lines 2–3 of 700; read on with start_line=4)',
  );
});

test('long lines are cut whole: what is shown stays below the cap and says where to go on', async () => {
  const bench = await startBench({ files: { a: `${'x'.repeat(300)}\n`.repeat(300) } });
  const text = await bench.text('read_file', { path: 'a' });
  expect(text.length).toBeLessThan(16_000);
  expect(text).toMatch(/\(lines 1–50 of 300; read on with start_line=51\)$/);
});

test('case-G13: an empty file, and a start past the end', async () => {
  const bench = await startBench({ files: { empty: '', a: 'x\ny' } });
  expect(await bench.text('read_file', { path: 'empty' })).toBe('(empty file)');
  const outcome = await bench.call('read_file', { path: 'a', start_line: 3 });
  expect(outcome).toMatchObject({ state: 'error', error: { code: 'bad_argument' } });
  expect(outcome.modelText).toContain('only 2 lines');
  expect(await bench.call('read_file', { path: 'a', start_line: 2, end_line: 1 })).toMatchObject({
    state: 'error',
  });
});

test('case-G14: a log of 300 MB and a line of 5 MB are read in part', { timeout: 30_000 }, async () => {
  const bench = await startBench({ files: { line: `${'x'.repeat(5_000_000)}\nend\n` } });
  const log = await open(path.join(bench.root, 'log'), 'w');
  const block = Buffer.from(`${'0123456789'.repeat(10)}\n`.repeat(10_000));
  for (let size = 0; size < 300_000_000; size += block.length) await log.write(block);
  await log.close();
  const before = process.memoryUsage().rss;
  const text = await bench.text('read_file', { path: 'log', start_line: 2_000_000, end_line: 2_000_001 });
  expect(text).toMatch(/^2000000\| 0123.*\n2000001\| 0123.*\n\(lines 2000000–2000001 of 2980000, 287.* MB;/s);
  expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
  const long = await bench.text('read_file', { path: 'line' });
  expect(long).toContain('… [line has 5000000 characters]\n2| end\n');
  expect(long.length).toBeLessThan(2200);
});

test('binary files and images are described, not shown', async () => {
  const png = Buffer.from('89504e470d0a1a0a0000000d4948445200000320000002580806000000', 'hex');
  const bench = await startBench({ files: { 'a.png': png, elf: Buffer.from('7f454c4602010100', 'hex') } });
  expect(await bench.text('read_file', { path: 'a.png' })).toContain('PNG image (29 bytes, 800×600 pixels)');
  expect(await bench.text('read_file', { path: 'elf' })).toContain('ELF program');
});

test('CRLF and marks are not shown; names are found as they are written', async () => {
  const bench = await startBench({
    files: { 'a b.txt': '\ufeffone\r\ntwo\r\n', '[id].tsx': 'id\n', '$x.js': 'x\n', '-n.txt': 'n\n' },
  });
  expect(await bench.text('read_file', { path: 'a b.txt' })).toBe('1| one\n2| two\n(end of file, 2 lines)');
  for (const name of ['[id].tsx', '$x.js', '-n.txt'])
    expect(await bench.text('read_file', { path: name })).toContain('1| ');
});

test('list_dir shows folders first and says what is missing', async () => {
  const bench = await startBench({ files: { 'b.txt': '', 'src/a.ts': '', '.env.example': '' } });
  expect(await bench.text('list_dir', {})).toBe('src/\n.env.example\nb.txt');
  expect(await bench.text('list_dir', { path: 'src' })).toBe('a.ts');
  expect(await bench.call('list_dir', { path: 'nope' })).toMatchObject({
    state: 'error',
    error: { code: 'not_found' },
  });
  expect(await bench.call('list_dir', { path: 'b.txt' })).toMatchObject({
    state: 'error',
    error: { code: 'bad_argument' },
  });
});
