import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { UndoResult } from '../../../../shared/model/change';
import { openUndoDesk, undoTurn, callOf, type UndoDesk } from './testing/undo-desk';

async function open(files: Record<string, string> = {}): Promise<UndoDesk> {
  const desk = await openUndoDesk({ files });
  onTestFinished(() => desk.app[Symbol.asyncDispose]());
  return desk;
}

const outcomes = ({ files }: UndoResult) =>
  Object.fromEntries(files.map(({ path, outcome }) => [path, outcome]));

test('undo of a turn takes its calls back in reverse order and keeps what the user changed later elsewhere', async () => {
  const desk = await open({ 'a.txt': '1\n2\n3\n4\n5\n' });
  const turn = desk.begin();
  await desk.act({ turn }, { 'a.txt': '1\nTWO\n3\n4\n5\n' });
  await desk.act({ turn }, { 'a.txt': '1\nTWO\n3\nFOUR\n5\n', 'new.txt': 'new\n' });
  await desk.act('user', { 'a.txt': '1\nTWO\n3\nFOUR\n5\nmine\n' });
  await desk.act('outside', { 'a.txt': '0\n1\nTWO\n3\nFOUR\n5\nmine\n' }, { unrecorded: true });
  const result = await undoTurn(desk, turn);
  expect(outcomes(result)).toEqual({ 'a.txt': 'merged', 'new.txt': 'restored' });
  expect(await desk.text('a.txt')).toBe('0\n1\n2\n3\n4\n5\nmine\n');
  expect(await desk.look('new.txt')).toBeNull();
  await desk.core.changes.undo.redo(result.setId as string);
  expect(await desk.text('a.txt')).toBe('0\n1\nTWO\n3\nFOUR\n5\nmine\n');
  expect(await desk.text('new.txt')).toBe('new\n');
});

test('faults §1.4: a deletion, a mode, a link and CRLF come back byte for byte', async () => {
  const crlf = '\ufeffa\r\nb\n\r\nlast';
  const desk = await open({ 'crlf.txt': crlf, 'run.sh': '#!/bin/sh\n', 'dir/gone.txt': 'x' });
  await desk.act('user', { 'run.sh': { mode: 0o755 }, link: { link: 'run.sh' } });
  const turn = desk.begin();
  await desk.act(
    { turn, command: 'sh all.sh' },
    {
      'crlf.txt': crlf.replaceAll('\r\n', '\n'),
      'run.sh': { mode: 0o644 },
      'dir/gone.txt': null,
      link: { link: 'elsewhere' },
      'made/deep/x.bin': Buffer.from([0, 1, 2]),
      'made/link': { link: '/etc/hostname' },
    },
  );
  const result = await undoTurn(desk, turn);
  expect(new Set(result.files.map(({ outcome }) => outcome))).toEqual(new Set(['restored']));
  expect(await desk.text('crlf.txt')).toBe(crlf);
  expect(statSync(join(desk.root, 'run.sh')).mode & 0o777).toBe(0o755);
  expect(await desk.text('dir/gone.txt')).toBe('x');
  expect(readlinkSync(join(desk.root, 'link'))).toBe('run.sh');
  expect(() => statSync(join(desk.root, 'made'))).toThrow('ENOENT');
  expect(result.cannot).toEqual(['`sh all.sh` may have had effects outside the project.']);
  await desk.core.changes.undo.redo(result.setId as string);
  expect(readlinkSync(join(desk.root, 'made/link'))).toBe('/etc/hostname');
  expect(statSync(join(desk.root, 'run.sh')).mode & 0o777).toBe(0o644);
});

test('a read-only file that a command wrote is put back, and its permissions with it', async () => {
  const desk = await open({ 'a.txt': 'old\n' });
  const turn = desk.begin();
  await desk.act({ turn, command: 'x' }, { 'a.txt': 'new\n' });
  await desk.act({ turn, command: 'chmod' }, { 'a.txt': { mode: 0o444 } });
  const { setId } = await undoTurn(desk, turn);
  expect(await desk.look('a.txt')).toMatchObject({ mode: 0o644, bytes: Buffer.from('old\n') });
  await desk.core.changes.undo.redo(setId as string);
  expect(await desk.look('a.txt')).toMatchObject({ mode: 0o444, bytes: Buffer.from('new\n') });
});

test('the same lines changed later are a conflict: nothing of that file is written, the others are', async () => {
  const desk = await open({ 'a.txt': '1\n2\n3\n', 'b.txt': 'b\n' });
  const turn = desk.begin();
  await desk.act({ turn }, { 'a.txt': '1\nagent\n3\n', 'b.txt': 'B\n' });
  await desk.act('user', { 'a.txt': '0\n1\nuser\n3\n' });
  const result = await undoTurn(desk, turn);
  expect(outcomes(result)).toEqual({ 'a.txt': 'conflict', 'b.txt': 'restored' });
  expect(await desk.text('a.txt')).toBe('0\n1\nuser\n3\n');
  expect(await desk.text('b.txt')).toBe('b\n');
  const [conflict] = result.conflicts;
  const view = await desk.core.changes.undo.conflict(conflict?.id as string);
  expect(view).toMatchObject({
    path: 'a.txt',
    current: '0\n1\nuser\n3\n',
    wanted: '1\n2\n3\n',
    merged: '0\n1\n<<<<<<< now\nuser\n=======\n2\n>>>>>>> undo\n3\n',
    regions: [{ start: 3, lines: 5 }],
    isBinary: false,
  });
  const { item } = { item: desk.core.catalog.runtime(turn.sessionId).view.items.at(-1) };
  expect(item).toMatchObject({ kind: 'undo', undo: { conflicts: [{ id: conflict?.id }] } });
});

test('a conflict outlives a restart; resolving it writes what was decided, and that can be undone', async () => {
  const desk = await openUndoDesk({ files: { 'a.txt': '1\r\n2\r\n' } });
  const turn = desk.begin();
  await desk.act({ turn }, { 'a.txt': '1\r\nagent\r\n' });
  await desk.act('user', { 'a.txt': '1\r\nuser\r\n' });
  const { conflicts } = await undoTurn(desk, turn);
  const id = conflicts[0]?.id as string;
  await desk.app.close();
  const again = await openUndoDesk({ home: desk.app.home, project: desk.root });
  onTestFinished(() => again.app[Symbol.asyncDispose]());
  const { undo } = again.core.changes;
  const { currentHash } = await undo.conflict(id);
  await again.act('user', { 'a.txt': '1\r\nuser!\r\n' });
  await expect(undo.resolve(id, '1\nboth\n', currentHash)).rejects.toMatchObject({ code: 'stale' });
  const view = await undo.conflict(id);
  const { setId } = await undo.resolve(id, '1\nboth\n', view.currentHash);
  expect(await again.text('a.txt')).toBe('1\r\nboth\r\n');
  await expect(undo.conflict(id)).rejects.toMatchObject({ code: 'not_found' });
  await undo.undo({ kind: 'set', setId: setId as never });
  expect(await again.text('a.txt')).toBe('1\r\nuser!\r\n');
});

test('a dropped conflict is gone, and the undo can be asked for again', async () => {
  const desk = await open({ 'a.txt': '1\n' });
  const turn = desk.begin();
  await desk.act({ turn }, { 'a.txt': 'agent\n' });
  await desk.act('user', { 'a.txt': 'user\n' });
  const { conflicts } = await undoTurn(desk, turn);
  desk.core.changes.undo.dropConflict(conflicts[0]?.id as string);
  await expect(desk.core.changes.undo.conflict(conflicts[0]?.id as string)).rejects.toThrow('settled');
  await desk.act('user', { 'a.txt': 'agent\n' });
  expect(outcomes(await undoTurn(desk, turn))).toEqual({ 'a.txt': 'restored' });
  expect(await desk.text('a.txt')).toBe('1\n');
});

test('undo after a restart, redo after another one', async () => {
  const desk = await openUndoDesk({ files: { 'a.txt': '1\n' } });
  const turn = desk.begin();
  await desk.act({ turn }, { 'a.txt': '2\n' });
  await desk.app.close();
  const second = await openUndoDesk({ home: desk.app.home, project: desk.root });
  const { setId } = await undoTurn(second, turn);
  expect(await second.text('a.txt')).toBe('1\n');
  await second.app.close();
  const third = await openUndoDesk({ home: desk.app.home, project: desk.root });
  onTestFinished(() => third.app[Symbol.asyncDispose]());
  await third.core.changes.undo.redo(setId as string);
  expect(await third.text('a.txt')).toBe('2\n');
});

test('undo of a move puts the file back with the edits made since', async () => {
  const desk = await open({ 'old.txt': '1\n2\n3\n' });
  const turn = desk.begin();
  await desk.act({ turn }, { 'old.txt': { moveTo: 'lib/new.txt', text: '1\n2\nTHREE\n' } });
  await desk.act('user', { 'lib/new.txt': '0\n1\n2\nTHREE\n' });
  const { setId } = await undoTurn(desk, turn);
  expect(await desk.text('old.txt')).toBe('0\n1\n2\n3\n');
  expect(() => statSync(join(desk.root, 'lib'))).toThrow('ENOENT');
  await desk.core.changes.undo.redo(setId as string);
  expect(await desk.text('lib/new.txt')).toBe('0\n1\n2\nTHREE\n');
  expect(await desk.look('old.txt')).toBeNull();
});

test('a file that the user renamed later is undone under its new name', async () => {
  const desk = await open({ 'a.txt': '1\n2\n' });
  const turn = desk.begin();
  await desk.act({ turn }, { 'a.txt': '1\nTWO\n' });
  await desk.act('user', { 'a.txt': { moveTo: 'b.txt' } });
  await desk.act('user', { 'b.txt': { moveTo: 'c.txt' } });
  expect(outcomes(await undoTurn(desk, turn))).toMatchObject({ 'c.txt': 'restored' });
  expect(await desk.text('c.txt')).toBe('1\n2\n');
  expect(await desk.look('a.txt')).toBeNull();
});

test('files that changed places stand or fall together, so that the content of neither is lost', async () => {
  const desk = await open({ 'a.txt': 'A\n', 'b.txt': 'B\n' });
  const turn = desk.begin();
  await desk.act({ turn, command: 'swap' }, { 'a.txt': 'B\n', 'b.txt': 'A\n' });
  await desk.act('user', { 'a.txt': 'mine\n' });
  expect(outcomes(await undoTurn(desk, turn))).toEqual({ 'a.txt': 'conflict', 'b.txt': 'conflict' });
  expect([await desk.text('a.txt'), await desk.text('b.txt')]).toEqual(['mine\n', 'A\n']);
});

test('a later file of the same name is never taken for the one that was changed', async () => {
  const desk = await open({ 'a.txt': '1\n2\n', 'c.txt': 'other\n' });
  const turn = desk.begin();
  await desk.act({ turn }, { 'a.txt': '2\n' });
  await desk.act('user', { 'a.txt': { moveTo: 'b.txt', text: '2\nmine\n' } });
  await desk.act('user', { 'c.txt': { moveTo: 'a.txt' } });
  expect(outcomes(await undoTurn(desk, turn))).toEqual({ 'b.txt': 'merged' });
  expect([await desk.text('a.txt'), await desk.text('b.txt')]).toEqual(['other\n', '1\n2\nmine\n']);
});

test('the folder that a user made stays, one that the change made goes', async () => {
  const desk = await open();
  await desk.act('user', { mine: { folder: true } });
  const turn = desk.begin();
  await desk.act({ turn }, { 'mine/a.txt': 'a\n', 'made/by/agent.txt': 'b\n' });
  await undoTurn(desk, turn);
  expect(statSync(join(desk.root, 'mine')).isDirectory()).toBe(true);
  expect(() => statSync(join(desk.root, 'made'))).toThrow('ENOENT');
});

test('a file made by the agent and changed by the user is a conflict, and so is one that is deleted by now', async () => {
  const desk = await open({ 'b.txt': 'b\n' });
  const turn = desk.begin();
  await desk.act({ turn }, { 'a.txt': 'agent\n', 'b.txt': 'B\n', 'c.txt': 'c\n' });
  await desk.act('user', { 'a.txt': 'agent\nmine\n', 'b.txt': null, 'c.txt': null });
  const result = await undoTurn(desk, turn);
  expect(outcomes(result)).toEqual({ 'a.txt': 'conflict', 'b.txt': 'conflict', 'c.txt': 'unchanged' });
  expect(await desk.text('a.txt')).toBe('agent\nmine\n');
  const views = await Promise.all(result.conflicts.map(({ id }) => desk.core.changes.undo.conflict(id)));
  expect(views).toMatchObject([
    { path: 'a.txt', current: 'agent\nmine\n', wanted: null },
    { path: 'b.txt', current: null, currentHash: null, wanted: 'b\n' },
  ]);
});

test('what was too large to keep is named, and the rest comes back', async () => {
  const desk = await open({ 'a.txt': 'a\n' });
  await desk.act('user', { 'big.bin': Buffer.alloc(6 * 1024 * 1024, 7) });
  const turn = desk.begin();
  await desk.act({ turn, command: 'rm' }, { 'big.bin': null, 'a.txt': null });
  expect(outcomes(await undoTurn(desk, turn))).toEqual({ 'a.txt': 'restored', 'big.bin': 'not_kept' });
  expect(await desk.text('a.txt')).toBe('a\n');
});

test('an undo of a part leaves the rest to a later one', async () => {
  const desk = await open({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
  const turn = desk.begin();
  const set = await desk.act({ turn }, { 'a.txt': 'A\n', 'b.txt': 'B\n' });
  const { sessionId } = turn;
  await desk.core.changes.undo.undo({ kind: 'call', sessionId, callId: callOf(set), path: 'a.txt' });
  expect([await desk.text('a.txt'), await desk.text('b.txt')]).toEqual(['a\n', 'B\n']);
  await undoTurn(desk, turn);
  expect([await desk.text('a.txt'), await desk.text('b.txt')]).toEqual(['a\n', 'b\n']);
  await expect(undoTurn(desk, turn)).rejects.toMatchObject({ code: 'not_found' });
});

test('an undo of the only file that a call changed is an undo of the call', async () => {
  const desk = await open({ 'a.txt': 'a\n' });
  const turn = desk.begin();
  const set = await desk.act({ turn }, { 'a.txt': 'A\n' });
  const { sessionId } = turn;
  await desk.core.changes.undo.undo({ kind: 'call', sessionId, callId: callOf(set), path: 'a.txt' });
  expect(() => desk.core.changes.undo.turnToUndo(sessionId, null)).toThrow('No turn');
});

test('two turns undone and redone in any order', async () => {
  const desk = await open({ 'a.txt': '1\n2\n3\n4\n5\n' });
  const [one, two] = [desk.begin(), desk.begin()];
  await desk.act({ turn: one }, { 'a.txt': 'ONE\n2\n3\n4\n5\n' });
  await desk.act({ turn: two }, { 'a.txt': 'ONE\n2\n3\n4\nFIVE\n' });
  const undone = await undoTurn(desk, one);
  expect(await desk.text('a.txt')).toBe('1\n2\n3\n4\nFIVE\n');
  await undoTurn(desk, two);
  expect(await desk.text('a.txt')).toBe('1\n2\n3\n4\n5\n');
  await desk.core.changes.undo.redo(undone.setId as string);
  expect(await desk.text('a.txt')).toBe('ONE\n2\n3\n4\n5\n');
  await expect(desk.core.changes.undo.redo(undone.setId as string)).rejects.toMatchObject({
    code: 'not_found',
  });
  await undoTurn(desk, one);
  expect(await desk.text('a.txt')).toBe('1\n2\n3\n4\n5\n');
});

test('what a subagent did belongs to the turn of the call that started it', async () => {
  const desk = await open({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
  const turn = desk.begin();
  const set = await desk.act({ turn }, { 'a.txt': 'A\n' });
  const runtime = desk.core.catalog.runtime(turn.sessionId);
  const callId = callOf(set);
  runtime.log.append(turn.turnId, [
    { type: 'call.requested', callId, messageId: turn.messageId, tool: 'task', args: {}, label: 'Task' },
  ]);
  const parent = desk.core.catalog.get(turn.sessionId);
  const child = desk.core.catalog.create({
    ...{ projectId: parent.projectId, projectPath: parent.projectPath, mode: 'agent', model: null },
    ...{ parentId: turn.sessionId, parentCallId: callId },
  });
  await desk.act({ turn: desk.begin('sub', child.id) }, { 'b.txt': 'B\n' });
  const result = await undoTurn(desk, turn);
  expect(outcomes(result)).toEqual({ 'a.txt': 'restored', 'b.txt': 'restored' });
});

test('restore goes back to a message: files, then the chat with what was cut off kept', async () => {
  const desk = await open({ 'a.txt': '1\n2\n3\n' });
  const [one, two, three] = [desk.begin('one'), desk.begin('two'), desk.begin('three')];
  await desk.act({ turn: one }, { 'a.txt': 'ONE\n2\n3\n' });
  await desk.act({ turn: two }, { 'a.txt': 'ONE\nTWO\n3\n' });
  await desk.act({ turn: three }, { 'a.txt': 'ONE\nTWO\nTHREE\n', 'new.txt': 'x\n' });
  await desk.act('user', { 'mine.txt': 'mine\n' });
  const { undo } = desk.core.changes;
  const preview = await undo.previewRestore(two.sessionId, two.messageId);
  expect(outcomes(preview)).toEqual({ 'a.txt': 'restored', 'new.txt': 'restored' });
  const { files, chat } = await undo.restore(two.sessionId, two.messageId, 'both');
  expect(await desk.text('a.txt')).toBe('ONE\n2\n3\n');
  expect(await desk.text('mine.txt')).toBe('mine\n');
  expect(chat).toMatchObject({
    text: 'two',
    kept: { title: expect.stringContaining('before restore') as string },
  });
  const { view } = desk.core.catalog.runtime(two.sessionId);
  expect(view.items.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['user', 'undo']));
  expect(view.items.filter(({ kind }) => kind === 'user')).toHaveLength(1);
  await undo.redo(files?.setId as string);
  expect(await desk.text('a.txt')).toBe('ONE\nTWO\nTHREE\n');
  expect(await desk.text('new.txt')).toBe('x\n');
});

test('restore reaches turns that the chat went back over before, without their files', async () => {
  const desk = await open({ 'a.txt': '1\n', 'b.txt': 'b\n' });
  const [one, two] = [desk.begin('one'), desk.begin('two')];
  await desk.act({ turn: one }, { 'b.txt': 'B\n' });
  await desk.act({ turn: two }, { 'a.txt': '2\n' });
  await desk.core.branches.rewind(two.sessionId, two.messageId, false);
  const three = desk.begin('three');
  await desk.act({ turn: three }, { 'a.txt': '3\n' });
  await desk.core.changes.undo.restore(one.sessionId, one.messageId, 'files');
  expect([await desk.text('a.txt'), await desk.text('b.txt')]).toEqual(['1\n', 'b\n']);
});

test('no git repository is needed, and a nested one is never touched', async () => {
  const desk = await open({ 'sub/a.txt': 'a\n' });
  execFileSync('git', ['init', '-q', join(desk.root, 'sub')]);
  const config = await desk.text('sub/.git/config');
  expect(config).toBeNull();
  const turn = desk.begin();
  await desk.act({ turn, command: 'x' }, { 'sub/a.txt': 'A\n' });
  const before = statSync(join(desk.root, 'sub/.git/HEAD')).mtimeMs;
  await undoTurn(desk, turn);
  expect(await desk.text('sub/a.txt')).toBe('a\n');
  expect(statSync(join(desk.root, 'sub/.git/HEAD')).mtimeMs).toBe(before);
});

test('an undo works in a project that was moved', async () => {
  const desk = await openUndoDesk({ files: { 'a.txt': '1\n' } });
  const turn = desk.begin();
  await desk.act({ turn }, { 'a.txt': '2\n' });
  await desk.app.close();
  const moved = `${desk.root}-moved`;
  renameSync(desk.root, moved);
  const again = await openUndoDesk({ home: desk.app.home, project: moved });
  onTestFinished(() => again.app[Symbol.asyncDispose]());
  await undoTurn(again, turn);
  expect(await again.text('a.txt')).toBe('1\n');
});

test('sec-B14: a folder that became a link out of the project is not written through', async () => {
  const desk = await open({ 'dir/a.txt': '1\n' });
  const outside = `${desk.root}-outside`;
  onTestFinished(() => rm(outside, { recursive: true, force: true }));
  const turn = desk.begin();
  await desk.act({ turn }, { 'dir/a.txt': '2\n', 'dir/b.txt': '2\n' });
  renameSync(join(desk.root, 'dir'), outside);
  symlinkSync(outside, join(desk.root, 'dir'));
  const result = await undoTurn(desk, turn);
  expect(outcomes(result)).toEqual({ 'dir/a.txt': 'conflict', 'dir/b.txt': 'conflict' });
  expect(statSync(join(outside, 'b.txt')).size).toBe(2);
});

test('a folder in the place of a file is a conflict, not a failure', async () => {
  const desk = await open({ 'a.txt': '1\n', 'b.txt': 'b\n' });
  const turn = desk.begin();
  await desk.act({ turn }, { 'a.txt': null, 'b.txt': 'B\n' });
  mkdirSync(join(desk.root, 'a.txt'));
  writeFileSync(join(desk.root, 'a.txt/x'), 'x');
  expect(outcomes(await undoTurn(desk, turn))).toEqual({ 'a.txt': 'conflict', 'b.txt': 'restored' });
  await rm(join(desk.root, 'a.txt/x'));
  rmdirSync(join(desk.root, 'a.txt'));
});

test('nothing is undone while the session’s turn runs or the session is held', async () => {
  const desk = await open({ 'a.txt': '1\n' });
  const turn = desk.begin();
  await desk.act({ turn }, { 'a.txt': '2\n' });
  await desk.core.turns.between(turn.sessionId, async () => {
    await expect(undoTurn(desk, turn)).rejects.toMatchObject({ code: 'busy' });
  });
  expect(await desk.text('a.txt')).toBe('2\n');
});
