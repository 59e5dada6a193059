import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { calls } from '../../../../e2e/support/scripted-model/script-reply';
import { startScriptedModel } from '../../../../e2e/support/scripted-model/scripted-model';
import type { ChangeSet } from '../../../../shared/model/change';
import { Sql } from '../../store/sql';
import { scratchFolder } from '../../testing/scratch-folder';
import { startCore, type TestCore } from '../../testing/start-core';
import { sha256 } from '../../workspace/workspace-files';

const hash = (text: string): string => sha256(Buffer.from(text));
const run = (command: string, more: object = {}) => calls('run_command', { command, ...more });
const log = (app: TestCore): ChangeSet[] => app.core.changes.log.list({});
const settled = (app: TestCore): Promise<void> => app.core.requireProject().effects.idle();
const pathsOf = (set: ChangeSet | undefined) =>
  set?.changes.map(({ path, before, after }) => [path, before?.kind ?? null, after?.kind ?? null]);

test('a command’s effects are one entry: files made, changed, moved, deleted, links, modes, folders', async () => {
  const command = [
    'echo two > a.txt',
    'rm gone.txt',
    'mkdir empty && echo new > made.txt',
    'chmod 755 tool.sh',
    'mv from.txt dir/to.txt',
    'ln -s a.txt link && rm oldlink',
    'rmdir bare',
    'rm -r deep',
  ].join(' && ');
  await using model = await startScriptedModel({ script: [run(command), 'Done.'] });
  await using app = await startCore({
    files: {
      'a.txt': 'one\n',
      'gone.txt': 'gone\n',
      'tool.sh': '#!/bin/sh\n',
      'from.txt': 'moved along\n',
      'dir/x': 'x',
      'deep/er/y': 'y',
    },
    modelUrl: model.url,
    approve: 'allow_once',
  });
  await mkdir(join(app.project, 'bare'));
  await symlink('nowhere', join(app.project, 'oldlink'));
  const { calls: made } = await app.turn('do it');
  const sets = log(app);
  expect(sets).toHaveLength(1);
  const [set] = sets;
  expect(set).toMatchObject({
    author: { kind: 'command', command, callId: made[0]?.callId, sessionId: app.session.id },
    label: command,
    notCovered: [],
  });
  const change = (path: string) => set?.changes.find((each) => each.path === path);
  expect(change('a.txt')).toMatchObject({
    before: { hash: hash('one\n'), isKept: true, sizeBytes: 4 },
    after: { hash: hash('two\n'), isKept: true },
  });
  expect(change('gone.txt')).toMatchObject({ before: { hash: hash('gone\n') }, after: null });
  expect(change('made.txt')).toMatchObject({ before: null, after: { hash: hash('new\n') } });
  expect(change('empty')).toMatchObject({ before: null, after: { kind: 'folder' } });
  expect(change('bare')).toMatchObject({ before: { kind: 'folder' }, after: null });
  expect(change('tool.sh')).toMatchObject({ before: { mode: 0o644 }, after: { mode: 0o755 } });
  expect(change('dir/to.txt')).toMatchObject({ movedFrom: 'from.txt', before: null });
  expect(change('from.txt')).toMatchObject({ after: null });
  expect(change('link')).toMatchObject({ before: null, after: { kind: 'link', hash: hash('a.txt') } });
  expect(change('oldlink')).toMatchObject({ before: { kind: 'link' }, after: null });
  expect(change('deep/er/y')).toMatchObject({ before: { hash: hash('y') }, after: null });
  expect(set?.changes).toHaveLength(11);
  const { blobs } = app.core.changes;
  for (const text of ['one\n', 'gone\n', 'y', 'nowhere', 'moved along\n'])
    expect((await blobs.load(hash(text)))?.toString()).toBe(text);
  expect(made[0]?.changed).toMatchObject({ setId: set?.id, more: 0 });
  expect(made[0]?.changed?.files).toContainEqual({ path: 'dir/to.txt', change: 'move' });
  expect(made[0]?.diffs.map(({ diff }) => diff.path)).toContain('a.txt');
  const told = JSON.stringify(model.requests.at(-1)?.body.messages);
  expect(told).toContain('[Files changed:');
  expect(told).toContain('gone.txt (deleted)');
});

test('a hundred files that lie in one pack come back when a command has deleted them', async () => {
  await using model = await startScriptedModel({
    script: [run('rm f*.txt && echo other > kept.txt'), 'Done.'],
  });
  const text = (at: number): string => `file ${at}\n`.repeat(at + 1);
  const names = Array.from({ length: 100 }, (_, at) => `f${at}.txt`);
  await using app = await startCore({
    files: { ...Object.fromEntries(names.map((name, at) => [name, text(at)])), 'kept.txt': 'kept\n' },
    modelUrl: model.url,
    approve: 'allow_once',
  });
  const { calls: made } = await app.turn('delete them');
  const { blobs, undo } = app.core.changes;
  expect(await readdir(join(app.home, 'before', 'packs'))).toHaveLength(2);
  expect(log(app)[0]?.changes.every(({ before }) => before?.isKept === true)).toBe(true);
  expect((await blobs.load(hash(text(42))))?.toString()).toBe(text(42));
  expect(made[0]?.changed?.more).toBe(1);
  const { turnId } = undo.turnToUndo(app.session.id, null);
  await undo.undo({ kind: 'turn', sessionId: app.session.id, turnId });
  for (const [at, name] of names.entries()) expect(await app.read(name)).toBe(text(at));
  expect(await app.read('kept.txt')).toBe('kept\n');
});

test('a command that changes nothing, and one that only reads, make no entry', async () => {
  await using model = await startScriptedModel({
    script: [run('ls -la && cat a.txt'), run('node -e "1"'), run('touch a.txt'), 'Done.'],
  });
  await using app = await startCore({
    files: { 'a.txt': 'one\n' },
    modelUrl: model.url,
    approve: 'allow_once',
  });
  const { calls: made } = await app.turn('look');
  expect(made).toHaveLength(3);
  expect(made.every(({ changed }) => changed === undefined)).toBe(true);
  expect(log(app)).toEqual([]);
});

test('what failing and timed-out commands did is found as well', async () => {
  await using model = await startScriptedModel({
    script: [run('echo two > a.txt; exit 3'), run('echo slow > b.txt; sleep 60', { timeout_s: 1 }), 'Done.'],
  });
  await using app = await startCore({
    files: { 'a.txt': 'one\n' },
    modelUrl: model.url,
    approve: 'allow_once',
  });
  const { calls: made } = await app.turn('try');
  expect(made.map(({ changed }) => changed?.files)).toEqual([
    [{ path: 'a.txt', change: 'modify' }],
    [{ path: 'b.txt', change: 'create' }],
  ]);
  expect(log(app).map((set) => pathsOf(set))).toEqual([
    [['b.txt', null, 'file']],
    [['a.txt', 'file', 'file']],
  ]);
});

test('what a stopped command did is an entry of its call, made once its processes are gone', async () => {
  await using model = await startScriptedModel({ script: [run('echo two > a.txt; sleep 60'), 'Done.'] });
  await using app = await startCore({
    files: { 'a.txt': 'one\n' },
    modelUrl: model.url,
    approve: 'allow_once',
  });
  const turn = app.turn('run it');
  await expect.poll(() => app.read('a.txt')).toBe('two\n');
  await app.core.turns.stop(app.session.id);
  await turn;
  await expect.poll(() => log(app).length).toBe(1);
  expect(log(app)[0]).toMatchObject({
    author: { kind: 'command' },
    changes: [{ path: 'a.txt', before: { hash: hash('one\n') }, after: { hash: hash('two\n') } }],
  });
  const step = app.core.catalog.runtime(app.session.id).view.items.find((item) => item.kind === 'step');
  expect(step?.kind === 'step' && step.calls[0]?.changed?.files).toEqual([
    { path: 'a.txt', change: 'modify' },
  ]);
});

test('a change made outside before a command is nobody’s in here; what the user saves during one stays the user’s', async () => {
  await using model = await startScriptedModel({
    script: [
      run('echo 1 > one.txt'),
      'Done.',
      run('echo 2 > two.txt; until [ -e go ]; do sleep 0.02; done'),
      'Done.',
    ],
  });
  await using app = await startCore({
    files: { 'a.txt': 'one\n', 'mine.txt': 'm\n' },
    modelUrl: model.url,
    approve: 'allow_once',
  });
  await app.turn('first');
  await writeFile(join(app.project, 'a.txt'), 'from outside\n');
  const turn = app.turn('second');
  await expect.poll(() => existsSync(join(app.project, 'two.txt'))).toBe(true);
  const { explorer } = await app.core.requireProject().desk();
  await explorer.save({ path: 'mine.txt', text: 'saved\n', baseHash: hash('m\n'), overwrite: false });
  await writeFile(join(app.project, 'go'), '');
  await turn;
  expect(log(app).map(({ author, changes }) => [author.kind, ...changes.map(({ path }) => path)])).toEqual([
    ['command', 'go', 'two.txt'],
    ['user', 'mine.txt'],
    ['outside', 'a.txt'],
    ['command', 'one.txt'],
  ]);
  expect(log(app)[2]?.changes[0]).toMatchObject({
    before: { hash: hash('one\n'), isKept: true },
    after: { hash: hash('from outside\n'), isKept: true },
  });
});

test('a command after an edit starts from what the edit left', async () => {
  await using model = await startScriptedModel({
    script: [
      run('echo 0 > warm.txt'),
      calls('edit_file', { path: 'a.txt', old_string: 'one', new_string: 'two' }),
      run("sed -i 's/two/three/' a.txt"),
      'Done.',
    ],
  });
  await using app = await startCore({
    files: { 'a.txt': 'one\n' },
    modelUrl: model.url,
    approve: 'allow_once',
  });
  const { end } = await app.turn('go on');
  const [command, edit] = log(app);
  expect(edit?.author.kind).toBe('agent');
  expect(command).toMatchObject({
    author: { kind: 'command' },
    changes: [{ path: 'a.txt', before: { hash: hash('two\n') }, after: { hash: hash('three\n') } }],
  });
  // A formatter after the last edit is no edit that a check should have come after.
  expect(end.receipt?.files.map(({ path, afterHash }) => [path, afterHash])).toContainEqual([
    'a.txt',
    hash('three\n'),
  ]);
});

test('a background command is followed until it ends', async () => {
  await using model = await startScriptedModel({
    script: [
      run('until [ -e go ]; do sleep 0.02; done; echo late > late.txt', { background: true }),
      'Started.',
    ],
  });
  await using app = await startCore({
    files: { 'a.txt': 'one\n' },
    modelUrl: model.url,
    approve: 'allow_once',
  });
  await app.turn('start it');
  await settled(app);
  expect(log(app)).toEqual([]);
  await writeFile(join(app.project, 'go'), '');
  await expect
    .poll(() => log(app).flatMap(({ changes }) => changes.map(({ path }) => path)))
    .toContain('late.txt');
  expect(log(app)[0]?.author.kind).toBe('command');
});

test('case-T04: nested repositories are covered, their own folders are not; it works without git', async () => {
  await using model = await startScriptedModel({
    script: [
      run('echo 2 > sub/x.txt && echo 2 > sub/.git/HEAD && echo 2 > mod/y.txt && echo 2 > mod/.git'),
      'Done.',
    ],
  });
  await using app = await startCore({
    files: { 'sub/x.txt': '1\n', 'sub/.git/HEAD': '1\n', 'mod/y.txt': '1\n', 'mod/.git': 'gitdir: ../x\n' },
    modelUrl: model.url,
    approve: 'allow_once',
  });
  await app.turn('change');
  expect(log(app).map((set) => set.changes.map(({ path }) => path))).toEqual([['mod/y.txt', 'sub/x.txt']]);
});

test('what is not covered is said with the question and by the entry; small ignored files are covered', async () => {
  await using model = await startScriptedModel({
    script: [
      run('echo A=2 > local.cfg; cd node*; echo x > new; cd ..; head -c 6000000 /dev/zero > big.bin'),
      'Done.',
    ],
  });
  await using app = await startCore({
    files: {
      '.gitignore': 'node_modules/\nlocal.cfg\n',
      'local.cfg': 'A=1\n',
      'node_modules/m.js': 'm',
      'big.bin': 'x'.repeat(7_000_000),
    },
    modelUrl: model.url,
    approve: 'allow_once',
  });
  const { events } = await app.turn('change');
  const asked = events.find((event) => event.type === 'approval.asked');
  expect(asked?.type === 'approval.asked' && asked.approval.subject).toMatchObject({
    notCovered: ['node_modules/', 'big.bin (7 MB)'],
  });
  const [set] = log(app);
  expect(set?.notCovered.toSorted()).toEqual(['big.bin', 'node_modules/']);
  expect(set?.changes.map(({ path, before }) => [path, before?.isKept])).toEqual(
    expect.arrayContaining([
      ['local.cfg', true],
      ['big.bin', false],
    ]),
  );
});

test('over its limit the baseline says what it leaves out, and goes on with the rest', async () => {
  await using model = await startScriptedModel({
    script: [run('echo 2 > a/1.txt; echo 2 > z.txt'), 'Done.'],
  });
  const home = scratchFolder('lathe-small-');
  await writeFile(join(home, 'settings.jsonc'), '{ "chat.changes.maxMegabytes": 1 }');
  await using app = await startCore({
    home,
    files: {
      'a/1.txt': '1\n',
      'b/2.bin': 'x'.repeat(900_000),
      'c/3.bin': 'y'.repeat(900_000),
      'z.txt': '1\n',
    },
    modelUrl: model.url,
    approve: 'allow_once',
  });
  const { events } = await app.turn('change');
  const asked = events.find((event) => event.type === 'approval.asked');
  expect(asked?.type === 'approval.asked' && asked.approval.subject).toMatchObject({
    notCovered: ['c/3.bin (1 MB)'],
  });
  expect(log(app)[0]?.changes.map(({ path }) => path)).toEqual(['a/1.txt', 'z.txt']);
});

test('the known state survives a restart: what happened meanwhile is outside, what it was is still there', async () => {
  await using model = await startScriptedModel({
    script: [run('echo 2 > b.txt'), 'Done.', run('echo 3 > c.txt'), 'Done.'],
  });
  const first = await startCore({ files: { 'a.txt': 'one\n' }, modelUrl: model.url, approve: 'allow_once' });
  await first.turn('first');
  await settled(first);
  await first.close();
  await rm(join(first.project, 'a.txt'));
  await using app = await startCore({
    home: first.home,
    project: first.project,
    modelUrl: model.url,
    approve: 'allow_once',
  });
  await app.turn('second');
  expect(log(app).map(({ author, changes }) => [author.kind, ...changes.map(({ path }) => path)])).toEqual([
    ['command', 'c.txt'],
    ['outside', 'a.txt'],
    ['command', 'b.txt'],
  ]);
  expect((await app.core.changes.blobs.load(hash('one\n')))?.toString()).toBe('one\n');
  expect(await readFile(join(app.project, 'c.txt'), 'utf8')).toBe('3\n');
});

test('a host that is killed in the middle of a command: the next one gives the command what it did', async () => {
  await using model = await startScriptedModel({
    script: [
      run('echo warm > warm.txt'),
      run('echo two > a.txt; until [ -e go ]; do sleep 0.02; done'),
      'Done.',
    ],
  });
  await using app = await startCore({
    files: { 'a.txt': 'one\n' },
    modelUrl: model.url,
    approve: 'allow_once',
  });
  const turn = app.turn('run it');
  await expect.poll(() => app.read('a.txt')).toBe('two\n');
  // What a process that dies at this moment leaves: its files, and rows of a process that is gone.
  const home = scratchFolder('lathe-killed-');
  await cp(app.home, home, { recursive: true });
  const sql = Sql.open(join(home, 'lathe.db'));
  expect(sql.run("UPDATE running_commands SET process_started = 'earlier'").changes).toBe(1);
  sql.close();
  const next = await startCore({ home, project: app.project, modelUrl: model.url });
  await next.core.requireProject().effects.idle();
  expect(log(next)[0]).toMatchObject({
    author: { kind: 'command', callId: expect.any(String) as string },
    label: expect.stringContaining('Lathe was ended while it ran') as string,
    changes: [{ path: 'a.txt', before: { hash: hash('one\n') }, after: { hash: hash('two\n') } }],
  });
  const view = next.core.catalog.runtime(app.session.id).view;
  const called = view.items.flatMap((item) => (item.kind === 'step' ? item.calls : []));
  expect(called.at(-1)?.changed?.files).toEqual([{ path: 'a.txt', change: 'modify' }]);
  await next.close();
  const again = await startCore({ home, project: app.project, modelUrl: model.url });
  await again.core.requireProject().effects.idle();
  expect(log(again)).toHaveLength(2);
  await again.close();
  await writeFile(join(app.project, 'go'), '');
  await turn;
});

test('two commands at the same time: the first to end has what is different, and says that it may be the other’s', async () => {
  await using model = await startScriptedModel({
    script: [
      run('until [ -e go ]; do sleep 0.02; done; echo 1 > one.txt', { background: true }),
      run('echo 2 > two.txt'),
      'Done.',
    ],
  });
  await using app = await startCore({
    files: { 'a.txt': '1\n' },
    modelUrl: model.url,
    approve: 'allow_once',
  });
  await app.turn('both');
  const [second] = log(app);
  expect(second).toMatchObject({ author: { command: 'echo 2 > two.txt' } });
  expect(second?.label).toContain('which ran at the same time');
  await writeFile(join(app.project, 'go'), '');
  await expect.poll(() => existsSync(join(app.project, 'one.txt'))).toBe(true);
});

test('same size and same time: a content is told from another by what the kernel can’t be told', async () => {
  await using model = await startScriptedModel({
    script: [
      run('echo warm > warm.txt'),
      run('touch -r a.txt ref; echo two > a.txt; touch -r ref a.txt; rm ref'),
      'Done.',
    ],
  });
  await using app = await startCore({
    files: { 'a.txt': 'one\n' },
    modelUrl: model.url,
    approve: 'allow_once',
  });
  await app.turn('change it behind the clock');
  expect(log(app)[0]?.changes).toMatchObject([
    { path: 'a.txt', before: { hash: hash('one\n') }, after: { hash: hash('two\n') } },
  ]);
});

test('a folder that is no longer ignored is covered from then on, and its files are not new', async () => {
  await using model = await startScriptedModel({
    script: [run('echo other > .gitignore'), run('rm out/a.txt'), 'Done.'],
  });
  await using app = await startCore({
    files: { '.gitignore': 'out/\n', 'out/a.txt': 'one\n' },
    modelUrl: model.url,
    approve: 'allow_once',
  });
  await app.turn('change the rules');
  expect(log(app).map((set) => pathsOf(set))).toEqual([
    [['out/a.txt', 'file', null]],
    [['.gitignore', 'file', 'file']],
  ]);
});
