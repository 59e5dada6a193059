import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  startScriptedModel,
  type ScriptedModelOptions,
} from '../../../../e2e/support/scripted-model/scripted-model';
import type { BisectProgress } from '../../../../shared/contract/changes';
import { startCore } from '../../testing/start-core';
import { startOf } from '../file-set-record';
import { removeLeftOvers } from './left-overs';

type Script = NonNullable<ScriptedModelOptions['script']>;
const edit = (path: string, old_string: string, new_string: string) => ({
  tool: 'edit_file',
  args: { path, old_string, new_string },
});

/** Everything that a look at the folder could tell: names, kinds, modes, times, contents. */
function fingerprint(folder: string): string {
  const hash = createHash('sha256');
  const visit = (at: string): void => {
    for (const name of readdirSync(at).sort()) {
      const path = join(at, name);
      const facts = lstatSync(path, { bigint: true });
      hash.update(`${path} ${facts.mode} ${facts.mtimeNs} ${facts.ino} `);
      if (facts.isDirectory()) visit(path);
      else hash.update(facts.isSymbolicLink() ? readlinkSync(path) : readFileSync(path));
    }
  };
  visit(folder);
  return hash.digest('hex');
}

async function start(script: Script, files: Record<string, string>) {
  const model = await startScriptedModel({ script });
  const app = await startCore({ modelUrl: model.url, flag: 'edits', files });
  onTestFinished(async () => {
    await app[Symbol.asyncDispose]();
    await model[Symbol.asyncDispose]();
  });
  const bisect = async (command: string, signal = new AbortController().signal, timeoutSeconds = 60) => {
    const told: BisectProgress[] = [];
    const before = fingerprint(app.project);
    const request = { sessionId: app.session.id, command, timeoutSeconds };
    await app.core.changes.bisect.run(request, (progress) => told.push(progress), signal);
    expect(fingerprint(app.project)).toBe(before);
    expect(leftCopies(app.home)).toEqual([]);
    const last = told.at(-1);
    const runs = told.filter((each) => each.kind === 'run' && each.passed !== null);
    return { told, last, runs };
  };
  return { app, bisect };
}

const leftCopies = (home: string): string[] =>
  existsSync(join(home, 'bisect')) ? readdirSync(join(home, 'bisect')) : [];

const LINES = Array.from({ length: 64 }, (_, at) => `value ${at} is good`);
const OK = "! grep -rq 'is bad' --include='*.txt' .";

test('C bisect: of 64 turns the one that broke the test is found in at most 7 runs, with its hunk', async () => {
  const culprit = 41;
  const script = LINES.flatMap((line, at): Script => {
    const [now, file] = [at === culprit ? line.replace('good', 'bad') : `${line}!`, `f${at % 4}.txt`];
    const calls = [edit(file, `${line}\n`, `${now}\n`)];
    // The turn that breaks it does three things in two calls, of which one hunk does the harm.
    if (at === culprit) calls.push(edit('other.txt', 'first', '1st'), edit('other.txt', 'last', 'the last'));
    return [{ calls }, 'Done.'];
  });
  const files = Object.fromEntries([0, 1, 2, 3].map((at) => [`f${at}.txt`, `${LINES.join('\n')}\n`]));
  const { app, bisect } = await start(script, { ...files, 'other.txt': 'first\nx\ny\nz\nlast\n' });
  for (let at = 0; at < LINES.length; at += 1) await app.turn(`change ${at}`);
  const { last, runs } = await bisect(OK);
  expect(last).toMatchObject({
    kind: 'found',
    path: `f${culprit % 4}.txt`,
    turn: { number: culprit + 1, request: `change ${culprit}` },
    set: { author: { kind: 'agent', sessionId: app.session.id } },
    hunk: {
      lines: expect.arrayContaining([
        expect.objectContaining({ kind: 'add', text: `value ${culprit} is bad` }),
      ]) as unknown,
    },
  });
  expect(last?.kind === 'found' && last.hunkId).toMatch(/^[0-9a-f]{24}-0$/);
  const labels = runs.map((run) => (run.kind === 'run' ? run.label : ''));
  expect(new Set(labels).size).toBe(labels.length);
  const inTurn = labels.findIndex((label) => label.startsWith('in turn'));
  const search = labels.slice(2, inTurn === -1 ? undefined : inTurn);
  console.log(
    `64 turns: 2 checks, ${search.length} runs for the turn, ${labels.length - 2 - search.length} within it`,
  );
  expect(search.length).toBeLessThanOrEqual(7);
});

test('the hunk among several of one edit is told, with changes of the user in between left alone', async () => {
  const text = 'a\nb\nc\nd\ne\nf\ng\nh\ni\n';
  const { app, bisect } = await start(
    [
      { calls: [{ tool: 'write_file', args: { path: 'a.txt', content: 'A\nb\nc\nbad\ne\nf\nG\nh\nI\n' } }] },
      'Done.',
    ],
    { 'a.txt': text },
  );
  await app.turn('go');
  await writeFile(join(app.project, 'a.txt'), 'A\nb\nc\nbad\ne\nf\nG\nuser\nI\n');
  const { last } = await bisect('! grep -q bad a.txt');
  expect(last).toMatchObject({ kind: 'found', path: 'a.txt', turn: { number: 1 } });
  const hunk = last?.kind === 'found' ? last.hunk : undefined;
  expect(hunk?.lines.filter(({ kind }) => kind !== 'context')).toMatchObject([
    { kind: 'delete', text: 'd' },
    { kind: 'add', text: 'bad' },
  ]);
});

test('a created file is found as a whole; runs start clean and see dependencies, not the project', async () => {
  const { app, bisect } = await start(
    [
      { calls: [edit('a.txt', 'one', '1')] },
      'Done.',
      { calls: [{ tool: 'write_file', args: { path: 'sub/new.txt', content: 'bad\n' } }] },
      'Done.',
      { calls: [edit('a.txt', 'two', '2')] },
      'Done.',
    ],
    {
      'a.txt': 'one\ntwo\n',
      '.gitignore': 'node_modules/\nout/\n',
      '.env': 'KEY=1\n',
      'node_modules/dep/x.js': 'x',
    },
  );
  await mkdir(join(app.project, 'out'));
  await symlink(join(app.project, 'a.txt'), join(app.project, 'link.txt'));
  for (const text of ['one', 'two', 'three']) await app.turn(text);
  const { last } = await bisect(
    'test ! -e left.txt || exit 3; touch left.txt; echo changed >> a.txt; echo x >> link.txt; test -f node_modules/dep/x.js && test -f .env && test ! -e sub/new.txt',
  );
  expect(last).toMatchObject({ kind: 'found', path: 'sub/new.txt', hunkId: null, turn: { number: 2 } });
});

test('nothing is found where the command succeeds now, fails from the start, or does not exist', async () => {
  const { app, bisect } = await start([{ calls: [edit('a.txt', 'one', '1')] }, 'Done.'], {
    'a.txt': 'one\n',
  });
  expect((await bisect('true')).last).toMatchObject({
    kind: 'nothing',
    why: expect.stringContaining('no changes') as unknown,
  });
  await app.turn('go');
  expect((await bisect('true')).last).toMatchObject({
    kind: 'nothing',
    why: expect.stringContaining('succeeds') as unknown,
  });
  expect((await bisect('echo broken; exit 1')).last).toMatchObject({
    kind: 'nothing',
    why: expect.stringMatching(/fails before the first.*broken/s) as unknown,
  });
  expect((await bisect('no-such-program-here')).last).toMatchObject({
    kind: 'nothing',
    why: expect.stringContaining('could not be run') as unknown,
  });
});

test('a command that does not end in time counts as failing', async () => {
  const { app, bisect } = await start([{ calls: [edit('a.txt', 'one', 'hang')] }, 'Done.'], {
    'a.txt': 'one\n',
  });
  await app.turn('go');
  const { last } = await bisect('! grep -q hang a.txt || sleep 60', undefined, 1);
  expect(last).toMatchObject({ kind: 'found', path: 'a.txt', turn: { number: 1 } });
});

/** Whether a process with this argument runs. */
const runsWith = (argument: string): boolean =>
  readdirSync('/proc').some((name) => {
    try {
      return (
        /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0').includes(argument)
      );
    } catch {
      return false;
    }
  });

test('stopping ends what runs and removes the copy', async () => {
  const { app } = await start([{ calls: [edit('a.txt', 'one', '1')] }, 'Done.'], { 'a.txt': 'one\n' });
  await app.turn('go');
  const stop = new AbortController();
  const seconds = `${7000 + (process.pid % 1000)}.25`;
  const request = { sessionId: null, command: `sleep ${seconds}`, timeoutSeconds: 600 };
  const run = app.core.changes.bisect.run(request, () => undefined, stop.signal);
  await expect.poll(() => runsWith(seconds), { timeout: 20_000 }).toBe(true);
  expect(leftCopies(app.home)).toHaveLength(1);
  stop.abort();
  await expect(run).rejects.toMatchObject({ code: 'cancelled' });
  expect(runsWith(seconds)).toBe(false);
  expect(leftCopies(app.home)).toEqual([]);
});

test('copies of processes that are gone are removed at the next start, those of others are left', async () => {
  const { app } = await start(['Done.'], { 'a.txt': 'one\n' });
  const folder = join(app.home, 'bisect');
  const own = `${process.pid}-${startOf(process.pid)}-x`;
  for (const name of ['4194300-1-x', own]) await mkdir(join(folder, name, 'project'), { recursive: true });
  expect(await removeLeftOvers(folder)).toBe(1);
  expect(leftCopies(app.home)).toEqual([own]);
});

test('a flaky test is put to the vote', async () => {
  const script = Array.from({ length: 8 }, (_, at): Script => [
    { calls: [edit('a.txt', `l${at}\n`, at === 5 ? 'bad\n' : `L${at}\n`)] },
    'Done.',
  ]).flat();
  const { app, bisect } = await start(script, {
    'a.txt': Array.from({ length: 8 }, (_, at) => `l${at}\n`).join(''),
  });
  for (let at = 0; at < 8; at += 1) await app.turn(`turn ${at}`);
  const count = join(app.home, 'count');
  await writeFile(count, '');
  // The third run, of a state that is right, fails once.
  const { last } = await bisect(`echo x >> ${count}; test $(wc -l < ${count}) -ne 3 && ! grep -q bad a.txt`);
  expect(last).toMatchObject({ kind: 'found', turn: { number: 6 } });
  expect(last?.kind === 'found' && last.summary).toContain('different results');
});
