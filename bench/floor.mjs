/** What the machine itself costs on the same work, measured in the same run: the floor for the ratios. */
import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { rgPath } from '@vscode/ripgrep';
import { needle } from './gen-project.mjs';
import { median, round } from './statistics.mjs';

const run = (command, args, cwd) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'ignore'] });
    child.stdout.resume();
    child.on('error', reject);
    child.on('close', resolve);
  });

async function time(times, work) {
  const values = [];
  for (let n = 0; n < times; n += 1) {
    const before = performance.now();
    await work(n);
    values.push(performance.now() - before);
  }
  return round(median(values), 2);
}

export async function measureFloor(project) {
  const target = join(project, 'bench/target.ts');
  return {
    ripgrepMs: await time(15, (n) =>
      run(rgPath, ['--no-config', '--hidden', '--glob', '!.git', '--json', needle(n), '.'], project),
    ),
    shellMs: await time(15, (n) =>
      run('/bin/bash', ['--noprofile', '--norc', '-c', `echo ok ${n}`], project),
    ),
    readMs: await time(30, () => readFile(target)),
    editMs: await time(30, async () => writeFile(target, await readFile(target))),
  };
}
