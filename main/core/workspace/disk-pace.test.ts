import { tmpdir } from 'node:os';
import { expect, test, vi } from 'vitest';
import { DiskPace } from './disk-pace';

/** Runs `work` on a clock on which every answer takes `ms`. */
async function answers(pace: DiskPace, times: number, ms: number): Promise<string[]> {
  const ways: string[] = [];
  let now = 1_000_000;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  try {
    for (let n = 0; n < times; n += 1) {
      const direct = (): string => {
        now += ms;
        return 'direct';
      };
      ways.push(await pace.ask(direct, () => Promise.resolve('pooled')));
    }
  } finally {
    clock.mockRestore();
  }
  return ways;
}

test('a local disk is asked directly, and through the pool once it has been slow three times', async () => {
  expect(await answers(new DiskPace(true), 6, 1)).toEqual(Array(6).fill('direct'));
  expect(await answers(new DiskPace(true), 6, 25)).toEqual([
    ...Array<string>(3).fill('direct'),
    ...Array<string>(3).fill('pooled'),
  ]);
});

test('slow answers that are far apart are no slow disk', async () => {
  expect(await answers(new DiskPace(true), 5, 9_000)).toEqual(Array(5).fill('direct'));
});

test('a file system that is not local is never asked directly', async () => {
  expect(await answers(new DiskPace(false), 2, 1)).toEqual(['pooled', 'pooled']);
});

test('failures of the disk come through, and everybody in a folder shares its pace', async () => {
  const pace = await DiskPace.of(tmpdir());
  expect(await DiskPace.of(tmpdir())).toBe(pace);
  const failing = (): never => {
    throw new Error('gone');
  };
  await expect(pace.ask(failing, () => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
});
