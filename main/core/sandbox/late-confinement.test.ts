import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { AppError } from '../../../shared/error';
import { scratchFolder } from '../testing/scratch-folder';
import { startBench } from '../tool/testing/tool-bench';
import { mayConfine, planConfinement } from './confine';
import { LateConfinement } from './late-confinement';

function late(kinds?: readonly string[]): LateConfinement {
  const root = scratchFolder('lathe-late-');
  const confinement = new LateConfinement(root, {
    latheHome: root,
    ...(kinds === undefined ? {} : { kinds }),
  });
  onTestFinished(() => {
    confinement.close();
    rmSync(root, { recursive: true, force: true });
  });
  return confinement;
}

const probe = await planConfinement(process.cwd(), { latheHome: process.cwd() });
probe?.close();

test.runIf(probe !== null)('sec-I01: the confinement is made once, when it is needed', async () => {
  const confinement = late();
  const [first, second] = await Promise.all([confinement.get(), confinement.get()]);
  expect(second).toBe(first);
  await confinement.known;
  await first.ensure();
  expect(await first.hasEnded()).toBe(false);
});

test.runIf(probe !== null)('it is made in a quiet moment, and ends with what asked for it', async () => {
  const confinement = late();
  confinement.prepareSoon();
  await confinement.known;
  const made = await confinement.get();
  confinement.close();
  await vi.waitFor(async () => expect(await made.hasEnded()).toBe(true));
});

test.runIf(mayConfine())('sec-I01: where it can’t be had, whoever waits for it is refused', async () => {
  const confinement = late([]);
  const refusal = { code: 'unsupported', message: expect.stringContaining('confined') as string };
  await expect(confinement.get()).rejects.toMatchObject(refusal);
  await expect(confinement.known).rejects.toMatchObject(refusal);
  confinement.prepareSoon();
});

test.runIf(mayConfine())('one that was closed before it was made is made no more', async () => {
  const confinement = late();
  confinement.prepareSoon();
  confinement.close();
  await expect(confinement.get()).rejects.toMatchObject({ code: 'unsupported' });
});

test('sec-I01: nothing is written before it is known that commands are confined', async () => {
  const refused = (): Promise<never> => Promise.reject(new AppError('unsupported', 'Not confined.'));
  const bench = await startBench({ files: { 'a.txt': 'one\n' }, runner: { beforeEffect: refused } });
  expect(await bench.call('read_file', { path: 'a.txt' })).toMatchObject({ state: 'success' });
  const outcome = await bench.call('write_file', { path: 'a.txt', content: 'two\n' });
  expect(outcome).toMatchObject({ state: 'error', error: { code: 'unsupported' } });
  expect(readFileSync(join(bench.root, 'a.txt'), 'utf8')).toBe('one\n');
});
