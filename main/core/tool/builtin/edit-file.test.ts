import { execFileSync } from 'node:child_process';
import { chmod, mkdir, rm, stat, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { startBench } from '../testing/tool-bench';

test('E1, H17: an edit says what it did, in text and label', async () => {
  const bench = await startBench({ files: { 'src/bar.ts': 'a\nb\nc\n' } });
  const outcome = await bench.call('edit_file', {
    path: 'src/bar.ts',
    old_string: 'b',
    new_string: 'x\ny\nz',
  });
  expect(outcome.modelText).toBe('Edited `src/bar.ts` (+3 −1, now at lines 1–5).');
  expect(bench.events.at(-1)).toMatchObject({ label: 'Edited `bar.ts` +3 −1' });
  expect(outcome.diffs).toMatchObject([{ path: 'src/bar.ts', change: 'modify', additions: 3, deletions: 1 }]);
});

test('E3: several edits in one call, all or nothing', async () => {
  const bench = await startBench({ files: { a: 'one two three' } });
  const edits = [
    { old_string: 'three', new_string: '3' },
    { old_string: 'one', new_string: '1', replace_all: 'false' },
  ];
  await bench.text('edit_file', { path: 'a', edits });
  expect(await bench.content('a')).toBe('1 two 3');
  const bad = [
    ...edits.slice(0, 0),
    { old_string: 'two', new_string: '2' },
    { old_string: 'nope', new_string: 'x' },
  ];
  expect(await bench.call('edit_file', { path: 'a', edits: bad })).toMatchObject({
    state: 'error',
    error: { code: 'not_found' },
  });
  expect(await bench.content('a')).toBe('1 two 3');
  expect(await bench.call('edit_file', { path: 'a' })).toMatchObject({
    state: 'error',
    error: { code: 'bad_argument' },
  });
});

test('case-E01, E05, E07, E14: endings, marks, trailing spaces and a missing last line break survive', async () => {
  const bench = await startBench({
    files: { crlf: 'a\r\nb  \r\nc\r\n', bom: '\ufeffhello\n', bare: 'a\nb' },
  });
  await bench.text('edit_file', { path: 'crlf', old_string: 'a\nb', new_string: 'A\nB' });
  await bench.text('edit_file', { path: 'bom', old_string: 'hello', new_string: 'hello2' });
  await bench.text('edit_file', { path: 'bare', old_string: 'b', new_string: 'c' });
  expect(await bench.content('crlf')).toBe('A\r\nB  \r\nc\r\n');
  expect(await bench.bytes('bom')).toEqual(Buffer.from('\ufeffhello2\n'));
  expect(await bench.text('read_file', { path: 'bom' })).not.toContain('\ufeff');
  expect(await bench.content('bare')).toBe('a\nc');
});

test('case-E09, E10: files in older encodings are kept byte for byte and it is said', async () => {
  const gbk = Buffer.concat([Buffer.from('const x = 1\n'), Buffer.from('d6d0cec4', 'hex')]);
  const bench = await startBench({
    files: {
      latin: Buffer.from('const x = 1;\n// caf\xe9\n', 'latin1'),
      gbk,
      odd: Buffer.from('x = 1 \xe9\xe8', 'latin1'),
    },
  });
  expect(
    await bench.text('edit_file', { path: 'latin', old_string: 'x = 1', new_string: 'x = 2' }),
  ).toContain('windows-1252 kept');
  expect(await bench.bytes('latin')).toEqual(Buffer.from('const x = 2;\n// caf\xe9\n', 'latin1'));
  expect(await bench.text('read_file', { path: 'gbk' })).toContain('encoding gbk');
  await bench.text('edit_file', { path: 'gbk', old_string: 'x = 1', new_string: 'x = 2' });
  expect((await bench.bytes('gbk')).subarray(-4).toString('hex')).toBe('d6d0cec4');
  expect(
    await bench.call('edit_file', { path: 'odd', old_string: 'x = 1', new_string: 'x = 2' }),
  ).toMatchObject({
    state: 'error',
    error: { code: 'unsupported_encoding' },
  });
  expect(await bench.bytes('odd')).toEqual(Buffer.from('x = 1 \xe9\xe8', 'latin1'));
});

test('case-E17: an empty old_string creates, fills or is refused', async () => {
  const bench = await startBench({ files: { empty: '', full: 'text' } });
  expect(await bench.text('edit_file', { path: 'new/a', old_string: '', new_string: 'x\n' })).toContain(
    'Created',
  );
  await bench.text('edit_file', { path: 'empty', old_string: '', new_string: 'y' });
  expect([await bench.content('new/a'), await bench.content('empty')]).toEqual(['x\n', 'y']);
  expect(await bench.call('edit_file', { path: 'full', old_string: '', new_string: 'z' })).toMatchObject({
    state: 'error',
  });
  expect(await bench.content('full')).toBe('text');
});

test('a file that is not there names its neighbours', async () => {
  const bench = await startBench({ files: { 'src/parser.ts': 'x' } });
  const outcome = await bench.call('edit_file', { path: 'src/praser.ts', old_string: 'x', new_string: 'y' });
  expect(outcome).toMatchObject({ state: 'error', error: { code: 'not_found' } });
  expect(outcome.modelText).toContain('src/parser.ts');
});

test('case-E19, E20: a file changed since it was read is edited when the text is still unique, and the note says so', async () => {
  const bench = await startBench({ files: { a: 'one\ntwo\n' } });
  await bench.text('read_file', { path: 'a' });
  await writeFile(path.join(bench.root, 'a'), 'zero\none\ntwo\n');
  expect(await bench.text('edit_file', { path: 'a', old_string: 'one', new_string: '1' })).toContain(
    'changed since you read it',
  );
  expect(await bench.content('a')).toBe('zero\n1\ntwo\n');
  // Its own edit is known afterwards.
  expect(await bench.text('edit_file', { path: 'a', old_string: 'two', new_string: '2' })).not.toContain(
    'changed since',
  );
  await writeFile(path.join(bench.root, 'a'), 'other\n');
  const miss = await bench.call('edit_file', { path: 'a', old_string: 'zero', new_string: '0' });
  expect(miss.error).toMatchObject({
    code: 'not_found',
    hint: expect.stringContaining('read it again') as string,
  });
});

test('case-E19: a formatter that rewrites the file between two edits is no dead end', async () => {
  const bench = await startBench({ files: { a: 'if(x){one()}\nif(y){two()}\n' } });
  await bench.text('read_file', { path: 'a' });
  await bench.text('edit_file', { path: 'a', old_string: 'one()', new_string: 'first()' });
  await writeFile(path.join(bench.root, 'a'), 'if (x) {\n  first();\n}\nif (y) {\n  two();\n}\n');
  const second = await bench.text('edit_file', { path: 'a', old_string: 'two()', new_string: 'second()' });
  expect(second).toContain('the file had changed since you read it; the text was still unique');
  expect(await bench.content('a')).toBe('if (x) {\n  first();\n}\nif (y) {\n  second();\n}\n');
  await writeFile(path.join(bench.root, 'a'), 'third(); third();\n');
  const ambiguous = await bench.call('edit_file', { path: 'a', old_string: 'third', new_string: 'x' });
  expect(ambiguous.error).toMatchObject({
    code: 'conflict',
    hint: expect.stringContaining('read it again') as string,
  });
  expect(await bench.content('a')).toBe('third(); third();\n');
});

test('case-E19: the guard goes by contents: a file that was only touched, or rewritten as it was, did not change', async () => {
  const bench = await startBench({ files: { a: 'one\n' } });
  await bench.text('read_file', { path: 'a' });
  await utimes(path.join(bench.root, 'a'), 1, 1);
  await rm(path.join(bench.root, 'a'));
  await writeFile(path.join(bench.root, 'a'), 'one\n');
  expect(await bench.text('write_file', { path: 'a', content: 'two\n' })).not.toContain('changed');
  // The same size and time, other bytes.
  const { atime, mtime } = await stat(path.join(bench.root, 'a'));
  await writeFile(path.join(bench.root, 'a'), 'six\n');
  await utimes(path.join(bench.root, 'a'), atime, mtime);
  expect(await bench.call('write_file', { path: 'a', content: 'ten\n' })).toMatchObject({
    state: 'error',
    error: { code: 'stale' },
  });
  expect(await bench.content('a')).toBe('six\n');
});

test('case-D11: an edit of a file that somebody is typing in changes the copy on the disk and says so', async () => {
  const open = new Set(['a', 'real']);
  const bench = await startBench({
    files: { a: 'one\n', real: 'one\n', other: 'one\n' },
    runner: { isUnsaved: (name) => open.has(name) },
  });
  await symlink('real', path.join(bench.root, 'alias'));
  const edit = (name: string): Promise<string> =>
    bench.text('edit_file', { path: name, old_string: 'one', new_string: 'two' });
  expect(await edit('a')).toContain('the editor has unsaved changes in this file');
  expect(await edit('alias')).toContain('the editor has unsaved changes in this file');
  expect(await edit('other')).not.toContain('unsaved');
  expect(await bench.content('a')).toBe('two\n');
});

test('case-E23: a huge file is refused with its size, a 20 MB line is edited', async () => {
  const bench = await startBench({
    files: { huge: '', line: Buffer.concat([Buffer.alloc(20_000_000, 'a'), Buffer.from('MARK;b')]) },
  });
  await truncate(path.join(bench.root, 'huge'), 1_100_000_000);
  const refused = await bench.call('edit_file', { path: 'huge', old_string: 'a', new_string: 'b' });
  expect(refused).toMatchObject({ state: 'error', error: { code: 'file_too_large' } });
  expect(refused.modelText).toContain('1049.0 MB');
  // Anything that compares the line with itself character by character would outlast the test's own limit.
  const outcome = await bench.call('edit_file', { path: 'line', old_string: 'MARK', new_string: 'DONE' });
  expect(outcome.state).toBe('success');
  expect(outcome.diffs[0]?.unified.length).toBeLessThan(5000);
});

test('case-E28: mode 0755 is kept; read-only files, folders and pipes are errors', async () => {
  const bench = await startBench({ files: { 'run.sh': 'a', locked: 'a' } });
  await chmod(path.join(bench.root, 'run.sh'), 0o755);
  await chmod(path.join(bench.root, 'locked'), 0o444);
  await mkdir(path.join(bench.root, 'dir'));
  execFileSync('mkfifo', [path.join(bench.root, 'pipe')]);
  const edit = (name: string): Promise<{ state: string }> =>
    bench.call('edit_file', { path: name, old_string: 'a', new_string: 'b' });
  expect(await edit('run.sh')).toMatchObject({ state: 'success' });
  expect((await stat(path.join(bench.root, 'run.sh'))).mode & 0o777).toBe(0o755);
  expect(await edit('locked')).toMatchObject({ state: 'error', error: { code: 'io_failed' } });
  expect(await edit('dir')).toMatchObject({ state: 'error', error: { code: 'bad_argument' } });
  expect(await edit('pipe')).toMatchObject({ state: 'error', error: { code: 'bad_argument' } });
  expect(await bench.content('locked')).toBe('a');
});

test('sec-A23, B02: nothing below a git folder is written, whatever the rules say', async () => {
  const bench = await startBench({ files: { '.git/config': '[core]\n' } });
  for (const name of ['.git/config', '.GIT/hooks/pre-commit', 'sub/.git/config']) {
    expect(await bench.call('write_file', { path: name, content: 'x' }), name).toMatchObject({
      state: 'error',
      error: { code: 'protected_path' },
    });
  }
  await symlink('.git', path.join(bench.root, 'door'));
  expect(
    await bench.call('edit_file', { path: 'door/config', old_string: 'core', new_string: 'x' }),
  ).toMatchObject({
    error: { code: 'protected_path' },
  });
  expect(await bench.content('.git/config')).toBe('[core]\n');
});

test('sec-B01: writing outside the project is an error that asks nobody', async () => {
  const bench = await startBench({ verdict: () => 'ask' });
  for (const name of ['../x', '/etc/x', `${bench.root}-x/a`]) {
    expect(await bench.call('write_file', { path: name, content: 'x' })).toMatchObject({
      state: 'error',
      error: { code: 'outside_workspace' },
    });
  }
  expect(bench.asked).toEqual([]);
});

test('case-E06: write_file keeps CRLF and says so; new files follow the project', async () => {
  const bench = await startBench({
    files: { crlf: 'a\r\nb\r\n', '.editorconfig': 'root = true\n[*.bat]\nend_of_line = crlf\n' },
  });
  expect(await bench.text('write_file', { path: 'crlf', content: 'x\ny\n' })).toContain('CRLF kept');
  await bench.text('write_file', { path: 'run.bat', content: 'x\ny\n' });
  await bench.text('write_file', { path: 'run.sh', content: 'x\ny\n' });
  expect([
    await bench.content('crlf'),
    await bench.content('run.bat'),
    await bench.content('run.sh'),
  ]).toEqual(['x\r\ny\r\n', 'x\r\ny\r\n', 'x\ny\n']);
  await writeFile(path.join(bench.root, '.gitattributes'), '*.sh text eol=lf\n*.txt eol=crlf\n');
  await bench.text('write_file', { path: 'doc/a.txt', content: 'x\n' });
  expect(await bench.content('doc/a.txt')).toBe('x\r\n');
  // An edit that creates the file follows the same wishes.
  const created = await bench.text('edit_file', {
    path: 'doc/b.txt',
    old_string: '',
    new_string: 'x\ny\n',
  });
  expect(created).toContain('CRLF, as the project asks for');
  expect(await bench.content('doc/b.txt')).toBe('x\r\ny\r\n');
});

test('case-E06: the wish of the folder that is nearest to a new file wins, git’s before the editor’s', async () => {
  const bench = await startBench({
    files: {
      '.gitattributes': '*.txt eol=crlf\n*.bin eol=crlf\n',
      '.editorconfig': '[*]\nend_of_line = crlf\n',
      'unix/.gitattributes': '*.txt eol=lf\n*.bin -text\n',
      'own/.editorconfig': 'root = true\n[*.js]\nend_of_line = lf\n',
    },
  });
  const written = async (name: string): Promise<string> => {
    await bench.text('write_file', { path: name, content: 'x\n' });
    return await bench.content(name);
  };
  expect(await written('deep/er/a.txt')).toBe('x\r\n');
  expect(await written('unix/deep/a.txt')).toBe('x\n');
  expect(await written('unix/a.bin')).toBe('x\n');
  expect(await written('deep/a.js')).toBe('x\r\n');
  expect(await written('own/deep/a.js')).toBe('x\n');
  expect(await written('own/a.css')).toBe('x\n');
});

test('case-E11: write_file keeps UTF-16 and its mark', async () => {
  const bench = await startBench({
    files: { a: Buffer.concat([Buffer.from('fffe', 'hex'), Buffer.from('old\n', 'utf16le')]) },
  });
  await bench.text('write_file', { path: 'a', content: 'new\n' });
  expect(await bench.bytes('a')).toEqual(
    Buffer.concat([Buffer.from('fffe', 'hex'), Buffer.from('new\n', 'utf16le')]),
  );
});

test('case-E11: big-endian UTF-16 is kept as well, UTF-32 is refused and stays', async () => {
  const big = Buffer.concat([Buffer.from('feff', 'hex'), Buffer.from('old\r\n', 'utf16le').swap16()]);
  const wide = Buffer.from('fffe000041000000', 'hex');
  const bench = await startBench({ files: { big, wide } });
  await bench.text('edit_file', { path: 'big', old_string: 'old', new_string: 'new' });
  expect(await bench.bytes('big')).toEqual(
    Buffer.concat([Buffer.from('feff', 'hex'), Buffer.from('new\r\n', 'utf16le').swap16()]),
  );
  for (const [tool, args] of [
    ['write_file', { path: 'wide', content: 'x' }],
    ['edit_file', { path: 'wide', old_string: 'A', new_string: 'B' }],
  ] as const)
    expect(await bench.call(tool, args)).toMatchObject({ error: { code: 'unsupported_encoding' } });
  expect(await bench.bytes('wide')).toEqual(wide);
});

test('case-E12: dollar patterns reach the disk as they are, in one place and in all', async () => {
  const bench = await startBench({ files: { one: 'log("done");', all: 'done done' } });
  const wild = "ok $& $1 $$ $` $'";
  await bench.text('edit_file', { path: 'one', old_string: 'done', new_string: wild });
  await bench.text('edit_file', { path: 'all', old_string: 'done', new_string: wild, replace_all: true });
  expect([await bench.content('one'), await bench.content('all')]).toEqual([
    `log("${wild}");`,
    `${wild} ${wild}`,
  ]);
});

test('case-E15, E24: content is written as given', async () => {
  const bench = await startBench();
  await bench.text('write_file', { path: 'a', content: 'no end &lt; &#39; $& ' });
  expect(await bench.content('a')).toBe('no end &lt; &#39; $& ');
});

test('E5: write_file over a file that changed since it was read is refused', async () => {
  const bench = await startBench({ files: { a: 'one' } });
  await bench.text('read_file', { path: 'a' });
  await writeFile(path.join(bench.root, 'a'), 'mine');
  const outcome = await bench.call('write_file', { path: 'a', content: 'two' });
  expect(outcome).toMatchObject({ state: 'error', error: { code: 'stale' } });
  expect(outcome.modelText).toContain('Read it again');
  expect(await bench.content('a')).toBe('mine');
  await bench.text('read_file', { path: 'a' });
  await bench.text('write_file', { path: 'a', content: 'two' });
  expect(await bench.content('a')).toBe('two');
});
