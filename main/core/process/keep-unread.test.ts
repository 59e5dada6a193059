import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { keepUnread } from './keep-unread';

test.each([true, false])(
  'what a child has printed is there after its end only if it is kept: %s',
  async (kept) => {
    const child = spawn(process.execPath, ['-e', 'console.log("said")'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const release = kept ? keepUnread([child.stdout]) : () => undefined;
    await once(child, 'exit');
    // Node's own reading is over by then.
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    release();
    expect(child.stdout.readableEnded ? '' : await text(child.stdout)).toBe(kept ? 'said\n' : '');
  },
);

test('who reads at once gets everything, also more than is kept', async () => {
  const child = spawn(process.execPath, ['-e', 'process.stdout.write("x".repeat(1e6))'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const release = keepUnread([child.stdout]);
  release();
  expect(await text(child.stdout)).toHaveLength(1e6);
  const other = spawn('/bin/sh', ['-c', 'echo a; sleep 0.2; echo b'], { stdio: ['ignore', 'pipe', 'pipe'] });
  const letGo = keepUnread([other.stdout]);
  await once(other.stdout, 'readable');
  letGo();
  const seen: string[] = [];
  other.stdout.on('data', (chunk: Buffer) => seen.push(chunk.toString()));
  await once(other.stdout, 'close');
  expect(seen.join('')).toBe('a\nb\n');
});
