import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { inRoot } from './paths.mjs';
import { withLock } from './lock.mjs';

test('two holders of one lock never work at the same time', async () => {
  const name = randomUUID();
  const log: string[] = [];
  const work = (who: string) => async () => {
    log.push(`${who} in`);
    await sleep(50);
    log.push(`${who} out`);
  };
  let waits = 0;
  await Promise.all([withLock(name, work('a')), withLock(name, work('b'), () => (waits += 1))]);
  expect(log).toEqual(['a in', 'a out', 'b in', 'b out']);
  expect(waits).toBe(1);
});

test('a lock is released when its work fails', async () => {
  const name = randomUUID();
  await expect(withLock(name, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await withLock(name, () => Promise.resolve('free'))).toBe('free');
});

test('a lock whose owner was killed is taken over', async () => {
  const name = randomUUID();
  const hold = `import { withLock } from ${JSON.stringify(new URL('lock.mjs', import.meta.url).href)};
    await withLock('${name}', () => new Promise(() => { console.log('held'); setInterval(() => {}, 1000); }));`;
  const owner = spawn(process.execPath, ['--input-type=module', '-e', hold], { cwd: inRoot('.') });
  await once(owner.stdout, 'data');
  owner.kill('SIGKILL');
  await once(owner, 'close');
  expect(await withLock(name, () => Promise.resolve('taken over'))).toBe('taken over');
});
