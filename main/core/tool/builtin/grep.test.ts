import { randomBytes } from 'node:crypto';
import { readdir, readFile, readlink, symlink, utimes } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { startBench } from '../testing/tool-bench';
import { warmRipgrep } from './lib/ripgrep';

beforeAll(warmRipgrep);

test('matches are grouped by file with line numbers, in order, with the total', async () => {
  const bench = await startBench({
    files: { 'b.ts': 'x\nfoo 1\n', 'a.ts': 'foo 2\nfoo 3\n', 'c.md': 'foo 4\n' },
  });
  expect(await bench.text('grep', { pattern: 'foo', glob: '*.ts' })).toBe(
    'a.ts\n1: foo 2\n2: foo 3\nb.ts\n2: foo 1\n(3 matches)',
  );
  expect(await bench.text('grep', { pattern: 'foo 1', context: 1 })).toBe('b.ts\n1- x\n2: foo 1\n(1 match)');
});

test('H13: 30 matches are shown and the total is said', async () => {
  const bench = await startBench({ files: { a: 'foo\n'.repeat(1234) } });
  const text = await bench.text('grep', { pattern: 'foo' });
  expect(text.split('\n')).toHaveLength(32);
  expect(text).toContain('(30 of 1234 matches shown;');
  expect((await bench.text('grep', { pattern: 'foo', max_results: 5 })).split('\n')).toHaveLength(7);
});

test('a flood of matches ends the search early', async () => {
  const bench = await startBench({ files: { a: 'foo\n'.repeat(200_000) } });
  expect(await bench.text('grep', { pattern: 'foo' })).toContain('more than 20000 matches');
});

test('case-G01: a broken pattern gives ripgrep’s message and a hint; literal finds it', async () => {
  const bench = await startBench({ files: { a: 'call foo(1)\n' } });
  const outcome = await bench.call('grep', { pattern: 'foo(' });
  expect(outcome).toMatchObject({ state: 'error', error: { code: 'bad_argument' } });
  expect(outcome.modelText).toMatch(/unclosed group[^]*literal: true/);
  expect(await bench.text('grep', { pattern: 'foo(', literal: true })).toContain('1: call foo(1)');
});

test('case-G02: no match is an answer, not a failure', async () => {
  const bench = await startBench({ files: { a: 'x\n' } });
  expect(await bench.text('grep', { pattern: 'nothing' })).toBe('0 matches');
  expect(await bench.text('grep', { pattern: 'x', glob: '*.none' })).toBe('0 matches');
  expect(await bench.call('grep', { pattern: 'x', path: 'nope' })).toMatchObject({
    state: 'error',
    error: { code: 'not_found' },
  });
});

test('case: lower-case patterns ignore case, case_sensitive decides when given', async () => {
  const bench = await startBench({ files: { a: 'Foo\nfoo\n' } });
  expect(await bench.text('grep', { pattern: 'foo' })).toContain('(2 matches)');
  expect(await bench.text('grep', { pattern: 'Foo' })).toContain('(1 match)');
  expect(await bench.text('grep', { pattern: 'foo', case_sensitive: true })).toContain('(1 match)');
  expect(await bench.text('grep', { pattern: 'FOO', case_sensitive: false })).toContain('(2 matches)');
});

test('multiline patterns span lines', async () => {
  const bench = await startBench({ files: { a: 'begin\nmiddle\nend\n' } });
  expect(await bench.text('grep', { pattern: 'begin.*end', multiline: true })).toContain(
    '1: begin\n2: middle\n3: end',
  );
});

test('case-G04, G05: a line of 200 kB is cut out round its match', async () => {
  const long = `${'x'.repeat(100_000)}needle${'y'.repeat(100_000)}`;
  const bench = await startBench({
    files: { 'min.js': `${long}\n`, 'a.ts': 'needle\n', 'b.ts': 'a needle\n' },
  });
  const text = await bench.text('grep', { pattern: 'needle' });
  expect(text).toContain('(3 matches)');
  const line = text.split('\n').find((each) => each.includes('xneedley')) ?? '';
  expect(line.length).toBeGreaterThan(100);
  expect(line.length).toBeLessThanOrEqual(510);
});

test('case-G06: nested ignore files are honoured by grep and glob, also with a glob', async () => {
  const bench = await startBench({
    files: {
      '.gitignore': '*.log\n',
      'sub/.gitignore': '!keep.log\n',
      'sub/keep.log': 'foo\n',
      'a.log': 'foo\n',
    },
  });
  expect(await bench.text('glob', { pattern: '**/*.log' })).toBe('sub/keep.log');
  expect(await bench.text('grep', { pattern: 'foo' })).toBe('sub/keep.log\n1: foo\n(1 match)');
  expect(await bench.text('grep', { pattern: 'foo', glob: '*.log' })).toBe('sub/keep.log\n1: foo\n(1 match)');
  expect(await bench.text('grep', { pattern: 'foo', glob: 'sub/**/*.{log,txt}' })).toContain('sub/keep.log');
  expect(await bench.text('grep', { pattern: 'foo', glob: '!*.log' })).toBe('0 matches');
});

test('case-G07: hidden files are searched, .git is not, an ignored path is searched when named', async () => {
  const bench = await startBench({
    files: {
      '.github/ci.yml': 'foo\n',
      '.env.example': 'foo\n',
      '.git/config': 'foo\n',
      '.gitignore': 'dist\n',
      'dist/a': 'foo\n',
    },
  });
  const text = await bench.text('grep', { pattern: 'foo' });
  expect(text).toContain('.github/ci.yml');
  expect(text).toContain('.env.example');
  expect(text).not.toContain('.git/config');
  expect(text).not.toContain('dist/a');
  expect(await bench.text('grep', { pattern: 'foo', path: 'dist' })).toContain('dist/a');
  expect(await bench.text('grep', { pattern: 'foo', path: '.env.example' })).toContain('1: foo');
  expect(await bench.text('list_dir', { path: '.github' })).toBe('ci.yml');
});

test('case-G08: a link back up the tree ends the walk and shows each file once', async () => {
  const bench = await startBench({ files: { 'a/one.txt': '', 'two.txt': '' } });
  await symlink('..', path.join(bench.root, 'a/loop'));
  const text = await bench.text('glob', { pattern: '**/*' });
  expect(text.split('\n').sort()).toEqual(['a/one.txt', 'two.txt']);
});

test('case-G09: malformed globs, and those that mean millions, are refused', async () => {
  const bench = await startBench({ files: { a: '' } });
  const bad = [
    '[abc',
    'src/{a,b',
    '**/[',
    '{'.repeat(200) + 'a' + '}'.repeat(200),
    '../*',
    '{a,b}'.repeat(30),
  ];
  for (const pattern of bad) {
    const outcome = await bench.call('glob', { pattern });
    expect([pattern, outcome.error?.code]).toEqual([pattern, 'bad_argument']);
  }
  expect(await bench.call('grep', { pattern: 'x', glob: '[abc' })).toMatchObject({ state: 'error' });
});

test('case-G10: odd names come back from glob and grep as they are', async () => {
  const names = ['a b.txt', '-n.txt', '[id].tsx', '$x.js', 'caf\u00e9.txt', 'cafe\u0301.md'];
  const bench = await startBench({
    files: Object.fromEntries([...names, 'a\nb.txt'].map((name) => [name, 'needle\n'])),
  });
  const found = (await bench.text('glob', { pattern: '*' })).split('\n').sort();
  expect(found).toEqual([...names, '"a\\nb.txt"'].sort());
  const text = await bench.text('grep', { pattern: 'needle' });
  for (const name of names) expect(text.split('\n')).toContain(name);
  expect(text.split('\n')).toContain('"a\\nb.txt"');
  expect(text).toContain('(7 matches)');
  for (const name of names) {
    expect(await bench.text('glob', { pattern: name })).toBe(name);
    expect(await bench.text('grep', { pattern: 'needle', path: name })).toContain('1: needle');
  }
  expect(await bench.text('grep', { pattern: '-n' })).toBe('0 matches');
});

test('case-G11: a match in a binary file is said without bytes; UTF-16 is read by its mark', async () => {
  const bench = await startBench({
    files: {
      bin: Buffer.from('xx foo\0yy\n'),
      u16: Buffer.concat([Buffer.from('fffe', 'hex'), Buffer.from('foo\n', 'utf16le')]),
      'z.txt': 'foo\n',
    },
  });
  const text = await bench.text('grep', { pattern: 'foo' });
  expect(text).toContain('bin: binary file matches');
  expect(text).toContain('u16\n1: foo');
  expect(text).toContain('z.txt\n1: foo');
  expect(text).not.toContain('yy');
});

/** Whether ripgrep is at work in a folder. */
async function isSearched(root: string): Promise<boolean> {
  const isOne = async (pid: string): Promise<boolean> =>
    (await readlink(`/proc/${pid}/cwd`)) === root && (await readFile(`/proc/${pid}/comm`, 'utf8')) === 'rg\n';
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  return (await Promise.all(pids.map((pid) => isOne(pid).catch(() => false)))).includes(true);
}

test.runIf(process.platform === 'linux')('case-G15: Stop kills the search', async () => {
  // Nothing that could be looked for, and a choice at every letter: this takes a minute.
  const noise = randomBytes(8_000_000).map((byte, at) => (at % 4000 === 0 ? 0x0a : 0x61 + (byte & 1)));
  const bench = await startBench({ files: { 'noise.txt': Buffer.from(noise) } });
  const running = bench.call('grep', { pattern: '(?:a[ab]{200}b){3}[^ab\\n]', literal: false });
  await expect.poll(() => isSearched(bench.root)).toBe(true);
  bench.stop.abort();
  expect(await running).toMatchObject({ state: 'cancelled' });
  await expect.poll(() => isSearched(bench.root)).toBe(false);
});

test('glob lists the newest first, from the folder asked for, up to the limit', async () => {
  const bench = await startBench({
    files: { 'src/a.ts': '', 'src/b.ts': '', 'src/deep/c.ts': '', 'd.ts': '' },
  });
  for (const [at, name] of ['src/b.ts', 'src/deep/c.ts', 'd.ts', 'src/a.ts'].entries()) {
    await utimes(path.join(bench.root, name), 1_000_000 + at, 1_000_000 + at);
  }
  expect(await bench.text('glob', { pattern: '*.ts' })).toBe('src/a.ts\nd.ts\nsrc/deep/c.ts\nsrc/b.ts');
  expect(await bench.text('glob', { pattern: 'src/*.ts' })).toBe('src/a.ts\nsrc/b.ts');
  expect(await bench.text('glob', { pattern: '*.ts', path: 'src/deep' })).toBe('src/deep/c.ts');
  expect(await bench.text('glob', { pattern: '*.ts', max_results: 1 })).toContain('(1 of 4 files shown');
  expect(await bench.text('glob', { pattern: '*.none' })).toBe('0 files match.');
});
