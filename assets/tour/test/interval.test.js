import assert from 'node:assert/strict';
import { test } from 'node:test';
import { duration, interval, overlaps, toMinutes, toTime } from '../src/interval.js';

test('times turn into minutes and back', () => {
  assert.equal(toMinutes('09:30'), 570);
  assert.equal(toTime(570), '09:30');
});

test('a time that is none is refused', () => {
  assert.throws(() => toMinutes('25:00'), RangeError);
  assert.throws(() => toMinutes('9:30'), RangeError);
});

test('an interval knows its length', () => {
  assert.equal(duration(interval('09:00', '10:30')), 90);
});

test('an interval ends after it starts', () => {
  assert.throws(() => interval('10:00', '10:00'), RangeError);
});

test('intervals that share time overlap', () => {
  assert.ok(overlaps(interval('09:00', '10:00'), interval('09:30', '11:00')));
  assert.ok(overlaps(interval('09:00', '12:00'), interval('10:00', '11:00')));
});

test('intervals far apart do not overlap', () => {
  assert.ok(!overlaps(interval('09:00', '10:00'), interval('14:00', '15:00')));
});
