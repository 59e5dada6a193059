import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { link } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startScriptedModel } from '../../../e2e/support/scripted-model/scripted-model';
import type { ScriptCall } from '../../../e2e/support/scripted-model/script-reply';
import { startCore, type FinishedTurn } from '../testing/start-core';

/** The real core, with a model that makes these calls one after the other. */
async function start(calls: readonly ScriptCall[], files: Record<string, string>) {
  const model = await startScriptedModel({ script: [...calls.map((call) => ({ calls: [call] })), 'Done.'] });
  const app = await startCore({ modelUrl: model.url, files, approve: 'allow_once' });
  onTestFinished(async () => {
    await app[Symbol.asyncDispose]();
    await model[Symbol.asyncDispose]();
  });
  const bytes = (name: string): Buffer => readFileSync(join(app.project, name));
  const undo = async (turn: FinishedTurn) => {
    const { turnId } = turn.end;
    return await app.core.changes.undo.undo({ kind: 'turn', sessionId: app.session.id, turnId });
  };
  return { app, model, bytes, undo };
}

const edit = (path: string, old_string: string, new_string: string): ScriptCall => ({
  tool: 'edit_file',
  args: { path, old_string, new_string },
});

test('case-E03: a line put into a CRLF file ends with CRLF, and undo gives the original bytes back', async () => {
  const crlf = '\ufeffa\r\nb\r\nc\r\nlast';
  const { app, bytes, undo } = await start([edit('a.txt', 'b\n', 'b\nnew\nnewer\n')], { 'a.txt': crlf });
  const turn = await app.turn('insert');
  expect(bytes('a.txt')).toEqual(Buffer.from('\ufeffa\r\nb\r\nnew\r\nnewer\r\nc\r\nlast'));
  expect(await undo(turn)).toMatchObject({ files: [{ path: 'a.txt', outcome: 'restored' }] });
  expect(bytes('a.txt')).toEqual(Buffer.from(crlf));
});

test('case-T04: an edit in a clone inside the project is undone, and its git folder is not touched', async () => {
  const { app, bytes, undo } = await start([edit('own/b.txt', 'bee', 'wasp')], { 'own/b.txt': 'bee\n' });
  const own = join(app.project, 'own');
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=e@x', ...args], {
      cwd: own,
      stdio: 'pipe',
    }).toString();
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'first');
  const times = (): string[] =>
    readdirSync(join(own, '.git'), { recursive: true, encoding: 'utf8' })
      .sort()
      .map((name) => `${name} ${statSync(join(own, '.git', name)).mtimeMs}`);
  const before = times();
  const turn = await app.turn('edit');
  expect(bytes('own/b.txt').toString()).toBe('wasp\n');
  await undo(turn);
  expect(bytes('own/b.txt').toString()).toBe('bee\n');
  expect(times()).toEqual(before);
});

test('case-T01: in a repository without commits turns edit, log and undo like anywhere else', async () => {
  const { app, model, bytes, undo } = await start(
    [edit('a.txt', 'one', 'two'), { tool: 'git_log', args: {} }],
    { 'a.txt': 'one\n' },
  );
  execFileSync('git', ['init', '-q', '-b', 'main'], { cwd: app.project });
  const turn = await app.turn('edit');
  expect(model.requests.at(-1)?.body.messages.at(-1)?.content).toBe('(no commits yet)');
  await undo(turn);
  expect(bytes('a.txt').toString()).toBe('one\n');
});

test('case-D11: the agent is told that an editor has unsaved text of the file, as soon as the editor keeps it', async () => {
  const { app, model } = await start([edit('a.txt', 'one', 'two'), edit('b.txt', 'one', 'two')], {
    'a.txt': 'one\n',
    'b.txt': 'one\n',
  });
  const { backups } = await app.core.requireProject().desk();
  backups.keep({ path: 'a.txt', baseHash: null, text: 'typed', cursorLine: 1, cursorColumn: 1 });
  await app.turn('edit both');
  const results = model.requests.at(-1)?.body.messages.filter(({ role }) => role === 'tool');
  expect(results?.map(({ content }) => String(content).includes('has unsaved changes'))).toEqual([
    true,
    false,
  ]);
  expect(backups.list()).toMatchObject([{ path: 'a.txt', text: 'typed' }]);
});

test('sec-B13: every tool that writes parts a hard link from its other name outside', async () => {
  const patch = [
    '*** Begin Patch',
    '*** Update File: c.txt',
    '@@',
    '-mine',
    '+theirs',
    '*** Update File: d.txt',
    '*** Move to: e.txt',
    '*** Delete File: f.txt',
    '*** End Patch',
  ].join('\n');
  const calls: ScriptCall[] = [
    edit('a.txt', 'mine', 'theirs'),
    { tool: 'write_file', args: { path: 'b.txt', content: 'theirs\n' } },
    { tool: 'apply_patch', args: { patch } },
  ];
  const { app, bytes, undo } = await start(calls, {});
  const outside = join(dirname(app.project), `outside-${app.session.id}`);
  writeFileSync(outside, 'mine\n');
  onTestFinished(() => void execFileSync('rm', ['-f', outside]));
  for (const name of ['a', 'b', 'c', 'd', 'f']) await link(outside, join(app.project, `${name}.txt`));
  const { ino, mode } = statSync(outside);
  const turn = await app.turn('write');
  expect(['a', 'b', 'c', 'e'].map((name) => bytes(`${name}.txt`).toString())).toEqual([
    'theirs\n',
    'theirs\n',
    'theirs\n',
    'mine\n',
  ]);
  const isUntouched = (): void => {
    expect(readFileSync(outside, 'utf8')).toBe('mine\n');
    expect(statSync(outside)).toMatchObject({ ino, mode });
  };
  isUntouched();
  await undo(turn);
  expect(bytes('a.txt').toString()).toBe('mine\n');
  isUntouched();
});
