import { expect, test } from 'vitest';
import { SLEEP_LIMITS, SleepWatch } from './sleep-watch';

const HOUR_MS = 3_600_000;

/** A machine whose clocks are turned by hand; `step` lets time pass and looks. */
function machine() {
  const at = { monotonic: 1_000, wall: 50_000, byte: 1_000 };
  let dead = 0;
  const watch = new SleepWatch(
    () => at.byte,
    () => (dead += 1),
    SLEEP_LIMITS,
    { monotonic: () => at.monotonic, wall: () => at.wall },
  );
  const step = (ms: number): void => {
    at.monotonic += ms;
    at.wall += ms;
    watch.tick();
  };
  return { at, step, watch, dead: () => dead };
}

test('fault-F36: after an hour of sleep a silent connection is given up within ten seconds of waking', () => {
  const { at, step, dead, watch } = machine();
  step(2_000);
  at.wall += HOUR_MS;
  let awakeMs = 0;
  while (dead() === 0 && awakeMs < 60_000) {
    step(2_000);
    awakeMs += 2_000;
  }
  expect(awakeMs).toBeLessThanOrEqual(10_000);
  watch.stop();
});

test('fault-F36: where the monotonic clock goes on in a sleep, the gap between two looks shows it', () => {
  const { step, dead, watch } = machine();
  step(HOUR_MS);
  step(2_000);
  step(2_000);
  step(2_000);
  expect(dead()).toBe(1);
  watch.stop();
});

test('a connection that lives on after a jump of the clock is left alone', () => {
  const { at, step, dead, watch } = machine();
  at.wall += HOUR_MS;
  step(2_000);
  at.byte = at.monotonic + 1;
  for (let i = 0; i < 20; i += 1) step(2_000);
  expect(dead()).toBe(0);
  watch.stop();
});

test('fault-F35: a clock that is put back, or right by a few seconds, is no sleep', () => {
  const { at, step, dead, watch } = machine();
  at.wall -= HOUR_MS;
  step(2_000);
  at.wall += 10_000;
  for (let i = 0; i < 20; i += 1) step(2_000);
  expect(dead()).toBe(0);
  watch.stop();
});
