import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { calls } from '../../../../e2e/support/scripted-model/script-reply';
import { startScriptedModel } from '../../../../e2e/support/scripted-model/scripted-model';
import type { ChangeSet } from '../../../../shared/model/change';
import type { TurnEvent } from '../../../../shared/model/turn-event';
import { startCore, type TestCore } from '../../testing/start-core';
import { namedPaths } from './named-paths';

const RULES = 'node_modules/\ndist/\n.env\n*.db\n';
const log = (app: TestCore): ChangeSet[] => app.core.changes.log.list({});
const pathsOf = (set: ChangeSet | undefined) => set?.changes.map(({ path }) => path);
const notCoveredIn = (events: readonly TurnEvent[]): string[][] =>
  events.flatMap((event) =>
    event.type === 'approval.asked' && event.approval.subject.kind === 'command'
      ? [event.approval.subject.notCovered ?? []]
      : [],
  );

async function start(commands: string[], files: Record<string, string>) {
  const script = commands.flatMap((command) => [calls('run_command', { command }), 'Done.']);
  const model = await startScriptedModel({ script });
  const app = await startCore({
    files: { '.gitignore': RULES, ...files },
    modelUrl: model.url,
    approve: 'allow_once',
  });
  const undoLast = async () => {
    const { turnId } = app.core.changes.undo.turnToUndo(app.session.id, null);
    return await app.core.changes.undo.undo({ kind: 'turn', sessionId: app.session.id, turnId });
  };
  const close = async (): Promise<void> => {
    await app[Symbol.asyncDispose]();
    await model[Symbol.asyncDispose]();
  };
  return { app, undoLast, [Symbol.asyncDispose]: close };
}

test('an ignored .env, at the top or deep down, comes back after a command has overwritten and deleted it', async () => {
  await using bench = await start(['> .env && rm packages/api/.env && echo X=1 > packages/web/.env'], {
    '.env': 'KEY=secret\n',
    'packages/api/.env': 'DB=local\n',
    'packages/api/a.js': 'a\n',
    'packages/web/a.js': 'a\n',
  });
  const { events } = await bench.app.turn('spoil them');
  expect(notCoveredIn(events)).toEqual([[]]);
  expect(pathsOf(log(bench.app)[0])).toEqual(['.env', 'packages/api/.env', 'packages/web/.env']);
  expect((await bench.undoLast()).conflicts).toEqual([]);
  expect(await bench.app.read('.env')).toBe('KEY=secret\n');
  expect(await bench.app.read('packages/api/.env')).toBe('DB=local\n');
  expect(existsSync(join(bench.app.project, 'packages/web/.env'))).toBe(false);
});

test('a small ignored folder that a command names comes back whole; others are said to be out of reach', async () => {
  await using bench = await start(['rm -rf dist'], {
    'dist/index.js': 'built\n',
    'dist/assets/app.css': 'body {}\n',
    'node_modules/m/index.js': 'm\n',
  });
  const { events } = await bench.app.turn('clean');
  expect(notCoveredIn(events)).toEqual([['node_modules/']]);
  const [set] = log(bench.app);
  expect(pathsOf(set)).toEqual(['dist/assets/app.css', 'dist/index.js']);
  expect(set?.notCovered).toEqual([]);
  await bench.undoLast();
  expect(await bench.app.read('dist/index.js')).toBe('built\n');
  expect(await bench.app.read('dist/assets/app.css')).toBe('body {}\n');
});

test('what a command writes into a named ignored folder is taken back; afterwards it is looked at from outside again', async () => {
  await using bench = await start(
    ['echo 2 > dist/a.js && echo new > dist/b.js', 'node -e "1"', 'rm dist/*'],
    {
      'dist/a.js': '1\n',
    },
  );
  await bench.app.turn('write');
  expect(pathsOf(log(bench.app)[0])).toEqual(['dist/a.js', 'dist/b.js']);
  // What is built is nobody's to review.
  expect(await bench.app.core.changes.review.pending({ sessionId: null, turnId: null })).toEqual([]);
  await bench.undoLast();
  expect(await bench.app.read('dist/a.js')).toBe('1\n');
  expect(existsSync(join(bench.app.project, 'dist/b.js'))).toBe(false);

  await writeFile(join(bench.app.project, 'dist/a.js'), 'built by somebody\n');
  const { events } = await bench.app.turn('nothing');
  expect(notCoveredIn(events)).toEqual([['dist/']]);
  expect(log(bench.app).filter(({ author }) => author.kind === 'outside')).toEqual([]);

  await bench.app.turn('by pattern');
  expect(pathsOf(log(bench.app)[0])).toEqual(['dist/a.js']);
  await bench.undoLast();
  expect(await bench.app.read('dist/a.js')).toBe('built by somebody\n');
});

test('an ignored folder over the limits stays out of reach, and the question says so; a large ignored file is kept when named', async () => {
  const many = Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`dist/${at}.js`, `${at}\n`]));
  await using bench = await start(['rm -rf dist && rm local.db'], {
    ...many,
    'local.db': 'x'.repeat(600_000),
  });
  const { events } = await bench.app.turn('clean');
  expect(notCoveredIn(events)).toEqual([['dist/']]);
  const [set] = log(bench.app);
  expect(pathsOf(set)).toEqual(['local.db']);
  expect(set?.notCovered).toEqual(['dist/']);
  await bench.undoLast();
  expect(await bench.app.read('local.db')).toBe('x'.repeat(600_000));
});

test('what a command line names: words, targets of redirections, up to a pattern, from its folder and from where it goes', async () => {
  expect(await namedPaths('rm -rf dist/ build', '')).toEqual(['dist', 'build']);
  expect(await namedPaths('echo x > .env', 'sub')).toEqual(expect.arrayContaining(['sub/.env']));
  expect(await namedPaths('rm out/*.js', '')).toEqual(['out']);
  expect(await namedPaths('cd web && rm -r dist', '')).toEqual(expect.arrayContaining(['dist', 'web/dist']));
  expect(await namedPaths('rm -rf /etc ../other .', '')).toEqual([]);
});
