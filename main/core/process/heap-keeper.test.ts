import { expect, test, vi } from 'vitest';
import { HeapKeeper } from './heap-keeper';

const MB = 1024 * 1024;

test('a collection follows the turn that left 12 MB, and then none until there is as much again', async () => {
  vi.useFakeTimers();
  let used = 100 * MB;
  let collections = 0;
  const keeper = new HeapKeeper(
    () => used,
    () => {
      collections += 1;
      used = 101 * MB;
      return Promise.resolve();
    },
  );
  const turn = async (leavesMb: number): Promise<number> => {
    used += leavesMb * MB;
    keeper.turnEnded();
    await vi.advanceTimersByTimeAsync(0);
    return collections;
  };
  expect(await turn(50)).toBe(0);
  await vi.advanceTimersByTimeAsync(2000);
  expect(await turn(11)).toBe(0);
  expect(await turn(1)).toBe(1);
  expect(await turn(11)).toBe(1);
  expect(await turn(1)).toBe(2);
  keeper.close();
  vi.useRealTimers();
});

test('the engine lends its collector, and what nobody holds is gone after it', async () => {
  const held = (() => new WeakRef({ text: 'nobody has this' }))();
  vi.useFakeTimers();
  let used = 0;
  const keeper = new HeapKeeper(() => (used += 13 * MB));
  await vi.advanceTimersByTimeAsync(2000);
  vi.useRealTimers();
  await expect
    .poll(() => {
      keeper.turnEnded();
      // What it returns is held by the assertion.
      return held.deref() === undefined;
    })
    .toBe(true);
  keeper.close();
});
