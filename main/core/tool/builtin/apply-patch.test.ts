import { renameSync, symlinkSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createFileSetJournal } from '../../change/file-set-journal';
import { startBench, type BenchOptions } from '../testing/tool-bench';
import { createApplyPatch } from './apply-patch';

const start = async (options: BenchOptions = {}) => {
  const journal = await mkdtemp(path.join(tmpdir(), 'sets-'));
  onTestFinished(() => rm(journal, { recursive: true, force: true }));
  const bench = await startBench({
    ...options,
    extraTools: [createApplyPatch({ fileSets: createFileSetJournal(journal) })],
  });
  const patch = (...lines: string[]) =>
    bench.call('apply_patch', { patch: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n') });
  return { bench, patch, journal };
};

test('E4: one patch adds, changes, moves and deletes files, with a diff for each', async () => {
  const { bench, patch, journal } = await start({
    files: { 'a.txt': 'a\nb\n', 'old.txt': 'x\ny\n', 'gone.txt': 'g\n' },
  });
  const outcome = await patch(
    '*** Add File: deep/new.txt',
    '+one',
    '+two',
    '*** Update File: a.txt',
    '@@',
    '-b',
    '+B',
    '*** Update File: old.txt',
    '*** Move to: moved/new-name.txt',
    '@@',
    '-y',
    '+Y',
    '*** Delete File: gone.txt',
  );
  expect(outcome).toMatchObject({ state: 'success' });
  expect(await bench.content('deep/new.txt')).toBe('one\ntwo\n');
  expect(await bench.content('a.txt')).toBe('a\nB\n');
  expect(await bench.content('moved/new-name.txt')).toBe('x\nY\n');
  expect((await readdir(bench.root)).sort()).toEqual(['a.txt', 'deep', 'moved']);
  expect(outcome.diffs.map(({ path: name, change, movedFrom }) => [name, change, movedFrom])).toEqual([
    ['deep/new.txt', 'create', undefined],
    ['a.txt', 'modify', undefined],
    ['moved/new-name.txt', 'move', 'old.txt'],
    ['gone.txt', 'delete', undefined],
  ]);
  expect(await readdir(journal)).toEqual([]);
});

test('case-P07: mark and line endings are kept', async () => {
  const { bench, patch } = await start({ files: { a: Buffer.from('\ufeffa\r\nb\r\n') } });
  await patch('*** Update File: a', '@@', ' a', '-b', '+B');
  expect(await bench.bytes('a')).toEqual(Buffer.from('\ufeffa\r\nB\r\n'));
});

test('case-E10: what can’t be decoded is refused or kept byte for byte', async () => {
  const gbk = Buffer.from([...Buffer.from('const x = 1\n'), 0xd6, 0xd0, 0xce, 0xc4, 0x0a]);
  const { bench, patch } = await start({ files: { gbk } });
  await patch('*** Update File: gbk', '@@', '-const x = 1', '+const x = 2');
  expect(await bench.bytes('gbk')).toEqual(Buffer.concat([Buffer.from('const x = 2\n'), gbk.subarray(12)]));
  const odd = Buffer.from('x = 1 \xe9\xe8\n', 'latin1');
  await bench.files.writeBytes('odd', odd);
  for (const [tool, args] of [
    ['edit_file', { path: 'odd', old_string: 'x = 1', new_string: 'x = 2' }],
    ['write_file', { path: 'odd', content: 'x' }],
  ] as const)
    expect(await bench.call(tool, args)).toMatchObject({ error: { code: 'unsupported_encoding' } });
  const outcome = await patch('*** Update File: odd', '@@', '-x = 1', '+x = 2');
  expect(outcome).toMatchObject({ state: 'error', error: { code: 'unsupported_encoding' } });
  expect(await bench.bytes('odd')).toEqual(odd);
});

test('case-P08: nothing is written when a later section fails, and the error names it', async () => {
  const { bench, patch } = await start({ files: { 'b.txt': 'b\n' } });
  const outcome = await patch('*** Add File: a.txt', '+a', '*** Update File: b.txt', '@@', '-nope', '+x');
  expect(outcome).toMatchObject({ state: 'error', error: { detail: { section: 2, reason: 'no_match' } } });
  expect(outcome.modelText).toContain('Section 2 of the patch (line 4)');
  expect(await readdir(bench.root)).toEqual(['b.txt']);
  expect(bench.asked).toHaveLength(0);
});

const MOVE = ['*** Update File: a.txt', '*** Move to: b.txt', '@@', '-a', '+A'];

test('case-P09: moving onto a file that was not read is an error', async () => {
  const { bench, patch } = await start({ files: { 'a.txt': 'a\n', 'b.txt': 'b\n' } });
  expect(await patch(...MOVE)).toMatchObject({ state: 'error', error: { code: 'conflict' } });
  expect([await bench.content('a.txt'), await bench.content('b.txt')]).toEqual(['a\n', 'b\n']);
});

test('case-P09: moving onto a file that was read asks, whatever rules allow', async () => {
  const { bench, patch } = await start({ files: { 'a.txt': 'a\n', 'b.txt': 'b\n' } });
  await bench.call('read_file', { path: 'b.txt' });
  const outcome = await patch(...MOVE);
  expect(outcome).toMatchObject({ state: 'success', by: 'user' });
  expect(bench.asked).toHaveLength(1);
  expect(bench.asked[0]?.warnings.join()).toContain('`b.txt`, which exists');
  expect(await readdir(bench.root)).toEqual(['b.txt']);
  expect(await bench.content('b.txt')).toBe('A\n');
  expect(outcome.diffs.map(({ path: name, change }) => [name, change])).toEqual([
    ['b.txt', 'modify'],
    ['a.txt', 'delete'],
  ]);
});

test('case-P10, case-P11: add over a file, delete and update of none, delete of a folder are errors', async () => {
  const { bench, patch } = await start({ files: { 'a.txt': 'a\n', 'dir/x': 'x\n' } });
  const wrong = [
    [['*** Add File: a.txt', '+z'], 'exists'],
    [['*** Delete File: none.txt'], 'does not exist'],
    [['*** Update File: none.txt', '@@', '-a', '+b'], 'does not exist'],
    [['*** Delete File: dir'], 'is a folder'],
  ] as const;
  for (const [lines, said] of wrong) {
    const outcome = await patch('*** Add File: first.txt', '+1', ...lines);
    expect(outcome.state).toBe('error');
    expect(outcome.modelText).toContain(said);
  }
  expect((await readdir(bench.root)).sort()).toEqual(['a.txt', 'dir']);
});

test('case-P12: sections about one file see what those before them leave', async () => {
  const { bench, patch } = await start({ files: { 'a.txt': 'a\nb\n' } });
  const ordered = await patch(
    '*** Delete File: a.txt',
    '*** Add File: a.txt',
    '+one',
    '+two',
    '*** Update File: a.txt',
    '@@',
    '-two',
    '+TWO',
    '*** Add File: b.txt',
    '+b',
    '*** Update File: b.txt',
    '@@',
    '-b',
    '+B',
  );
  expect(ordered.state).toBe('success');
  expect(await bench.content('a.txt')).toBe('one\nTWO\n');
  expect(await bench.content('b.txt')).toBe('B\n');
  await patch('*** Update File: a.txt', '@@', '-one', '+1', '*** Update File: a.txt', '@@', '-TWO', '+2');
  expect(await bench.content('a.txt')).toBe('1\n2\n');
  const gone = await patch('*** Delete File: a.txt', '*** Update File: a.txt', '@@', '-1', '+x');
  expect(gone.modelText).toContain('earlier in the patch');
  expect(await bench.content('a.txt')).toBe('1\n2\n');
});

test('case-P19: paths that lead out or into a git folder are refused before anything', async () => {
  const { bench, patch } = await start({ files: { 'a.txt': 'a\n' } });
  await mkdir(path.join(bench.root, '../out'));
  await symlink('../out', path.join(bench.root, 'link'));
  for (const name of ['../x', '/etc/x', '.git/config', 'link/x']) {
    const outcome = await patch('*** Update File: a.txt', '@@', '-a', '+b', `*** Add File: ${name}`, '+x');
    expect([name, outcome.state]).toEqual([name, 'error']);
    const moved = await patch('*** Update File: a.txt', `*** Move to: ${name}`);
    expect([name, moved.state]).toEqual([name, 'error']);
  }
  expect(await bench.content('a.txt')).toBe('a\n');
  expect(await readdir(path.join(bench.root, '../out'))).toEqual([]);
  expect(bench.asked).toHaveLength(0);
});

test('rules see every path of a patch, also those that files are moved to', async () => {
  const seen: string[][] = [];
  const { patch } = await start({
    files: { 'a.txt': 'a\n' },
    verdict: ({ subject }) => {
      seen.push(subject.paths);
      return 'deny';
    },
  });
  const outcome = await patch(
    '*** Add File: n.txt',
    '+n',
    '*** Update File: a.txt',
    '*** Move to: sub/b.txt',
  );
  expect(outcome.state).toBe('denied');
  expect(seen).toEqual([['n.txt', 'a.txt', 'sub/b.txt']]);
});

test('a file that changed since it was read is patched with a note while its lines are there', async () => {
  const { bench, patch } = await start({ files: { 'a.txt': 'a\nb\n' } });
  await bench.call('read_file', { path: 'a.txt' });
  await bench.files.writeBytes('a.txt', Buffer.from('new\na\nb\n'));
  const outcome = await patch('*** Update File: a.txt', '@@', '-b', '+B');
  expect(outcome.modelText).toContain('had changed since you read it');
  expect(await bench.content('a.txt')).toBe('new\na\nB\n');
});

test('case-E19: a patch whose lines are gone since the file was read says to read it again', async () => {
  const { bench, patch } = await start({ files: { 'a.txt': 'a\nb\n' } });
  await bench.call('read_file', { path: 'a.txt' });
  await bench.files.writeBytes('a.txt', Buffer.from('x\n'));
  const outcome = await patch('*** Update File: a.txt', '@@', '-b', '+B');
  expect(outcome).toMatchObject({ state: 'error', error: { code: 'not_found' } });
  expect(outcome.modelText).toContain('changed since you read it: read it again first');
  expect(await bench.content('a.txt')).toBe('x\n');
});

test('case-D11: a patch of a file that somebody is typing in says so', async () => {
  const { patch } = await start({
    files: { 'a.txt': 'a\n', 'b.txt': 'b\n' },
    runner: { isUnsaved: (name) => name === 'b.txt' },
  });
  const change = ['*** Update File: a.txt', '@@', '-a', '+A', '*** Update File: b.txt', '@@', '-b', '+B'];
  const { modelText } = await patch(...change);
  expect(modelText).toContain('`b.txt`: the editor has unsaved changes in this file');
  expect(modelText).not.toContain('`a.txt`: the editor');
});

test('sec-B15: a file that changes while the patch waits for approval is asked about again', async () => {
  let asked = 0;
  const { bench, patch } = await start({
    files: { 'a.txt': 'a\nb\n', 'b.txt': 'b\n' },
    verdict: () => 'ask',
    answer: async () => {
      asked += 1;
      if (asked === 1) await bench.files.writeBytes('b.txt', Buffer.from('0\nb\n'));
      return 'allow_once' as const;
    },
  });
  await patch('*** Update File: a.txt', '@@', '-b', '+B', '*** Update File: b.txt', '@@', '-b', '+B');
  expect(asked).toBe(2);
  expect(await bench.content('b.txt')).toBe('0\nB\n');
});

test('sec-B14: a folder that becomes a link outside while a change waits for approval is never written through', async () => {
  let swap = (): void => undefined;
  const { bench, patch } = await start({
    files: { 'd/f.txt': 'one\n' },
    verdict: () => 'ask',
    answer: () => {
      swap();
      return 'allow_once';
    },
  });
  const [folder, away, outside] = ['d', 'away', '../outside'].map((name) => path.join(bench.root, name)) as [
    string,
    string,
    string,
  ];
  await mkdir(outside);
  await writeFile(path.join(outside, 'f.txt'), 'one\n');
  swap = () => {
    renameSync(folder, away);
    symlinkSync('../outside', folder);
  };
  const back = async (): Promise<void> => {
    await rm(folder);
    await rename(away, folder);
  };
  const attempts = [
    () => bench.call('edit_file', { path: 'd/f.txt', old_string: 'one', new_string: 'two' }),
    () => bench.call('write_file', { path: 'd/f.txt', content: 'two\n' }),
    () => bench.call('write_file', { path: 'd/new.txt', content: 'two\n' }),
    () => patch('*** Update File: d/f.txt', '@@', '-one', '+two'),
    () => patch('*** Add File: d/new.txt', '+two'),
    () => patch('*** Delete File: d/f.txt'),
    () => patch('*** Update File: d/f.txt', '*** Move to: g.txt'),
  ];
  for (const attempt of attempts) {
    expect((await attempt()).state).toBe('error');
    expect(await readdir(outside)).toEqual(['f.txt']);
    expect(await readFile(path.join(outside, 'f.txt'), 'utf8')).toBe('one\n');
    await back();
  }
});

test('mode bits go along with a moved file; a binary one moves as it is', async () => {
  const png = Buffer.from([0x89, 0x50, 0, 1, 2]);
  const { bench, patch } = await start({ files: { 'run.sh': '#!/bin/sh\n', 'a.png': png } });
  await bench.files.writeBytes('run.sh', Buffer.from('#!/bin/sh\nx\n'), { mode: 0o755 });
  const outcome = await patch(
    '*** Update File: run.sh',
    '*** Move to: bin/run.sh',
    '*** Update File: a.png',
    '*** Move to: b.png',
  );
  expect(outcome.state).toBe('success');
  expect((await bench.files.readBytes('bin/run.sh')).mode & 0o777).toBe(0o755);
  expect(await bench.bytes('b.png')).toEqual(png);
});
