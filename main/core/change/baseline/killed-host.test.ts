import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, rmSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { bundleProgram } from '../../testing/bundle-program';
import { calls } from '../../../../e2e/support/scripted-model/script-reply';
import { startScriptedModel } from '../../../../e2e/support/scripted-model/scripted-model';
import { planConfinement } from '../../sandbox/confine';
import { scratchFolder } from '../../testing/scratch-folder';
import { startCore } from '../../testing/start-core';
import { sha256 } from '../../workspace/workspace-files';

/** The real command line with its threads, bundled once. */
const ROOT = path.join(import.meta.dirname, '../../../..');
const BUNDLE = path.join(ROOT, `node_modules/.cache/lathe-killed-test-${process.pid}`);
const hash = (text: string): string => sha256(Buffer.from(text));

beforeAll(async () => {
  const workers = readdirSync(path.join(ROOT, 'main'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.worker.ts'))
    .map((file): [string, string] => [path.basename(file, '.ts'), path.join(ROOT, 'main', file)]);
  const cli = path.join(ROOT, 'main/cli/index.ts');
  await bundleProgram({ cli, ...Object.fromEntries(workers) }, BUNDLE);
});

afterAll(() => rmSync(BUNDLE, { recursive: true, force: true }));

test('a host that gets SIGKILL in the middle of a command: the next start gives the command what it did', async (context) => {
  const base = scratchFolder('lathe-killed-');
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const [home, project] = [path.join(base, 'home'), path.join(base, 'project')];
  await mkdir(project);
  // Enough files for a second thread to help.
  for (let at = 0; at < 1200; at += 1) await writeFile(path.join(project, `f${at}.txt`), `${at}\n`);
  await writeFile(path.join(project, 'a.txt'), 'one\n');
  await writeFile(path.join(project, 'gone.txt'), 'gone\n');
  const confinement = await planConfinement(project, { latheHome: home });
  confinement?.close();
  context.skip(confinement === null, 'Without confinement no command runs unasked here.');
  await using model = await startScriptedModel({
    script: [
      calls('run_command', { command: 'echo warm > warm.txt' }),
      calls('run_command', { command: 'rm gone.txt; echo two > a.txt; sleep 100' }),
      'Done.',
    ],
  });
  const { PATH, HOME, TMPDIR } = process.env;
  const args = ['run', '--project', project, '--prompt', 'go', '--base-url', model.url, '--model', 'mock'];
  const child = spawn(
    process.execPath,
    [path.join(BUNDLE, 'cli.mjs'), ...args, '--api-key', 'k', '--approve', 'all', '--trust'],
    { cwd: project, env: { PATH, HOME, TMPDIR, LATHE_HOME: home }, stdio: 'ignore' },
  );
  const ended = once(child, 'exit');
  onTestFinished(() => void child.kill('SIGKILL'));
  await expect.poll(() => readFile(path.join(project, 'a.txt'), 'utf8'), { timeout: 45_000 }).toBe('two\n');
  child.kill('SIGKILL');
  await ended;
  const app = await startCore({ home, project, modelUrl: model.url });
  await app.core.requireProject().effects.idle();
  const [left, warm] = app.core.changes.log.list({});
  expect(warm).toMatchObject({ author: { kind: 'command' }, changes: [{ path: 'warm.txt', before: null }] });
  expect(left).toMatchObject({
    author: { kind: 'command', command: 'rm gone.txt; echo two > a.txt; sleep 100' },
    changes: [
      { path: 'gone.txt', before: { hash: hash('gone\n'), isKept: true }, after: null },
      { path: 'a.txt', before: { hash: hash('one\n'), isKept: true }, after: { hash: hash('two\n') } },
    ],
  });
  expect((await app.core.changes.blobs.load(hash('gone\n')))?.toString()).toBe('gone\n');
  await app.close();
});
