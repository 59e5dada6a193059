import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Room } from '../src/room.js';

test('a free room can be booked', () => {
  const room = new Room('Blue room');
  room.book('Ada', '09:00', '10:00');
  assert.deepEqual(room.list(), ['09:00–10:00 Ada']);
});

test('a room that is taken says by whom', () => {
  const room = new Room('Blue room');
  room.book('Ada', '09:00', '10:00');
  assert.throws(() => room.book('Grace', '09:30', '10:30'), /taken by Ada until 10:00/);
});

test('a booking may begin when the one before it ends', () => {
  const room = new Room('Blue room');
  room.book('Ada', '09:00', '10:00');
  room.book('Grace', '10:00', '11:00');
  assert.deepEqual(room.list(), ['09:00–10:00 Ada', '10:00–11:00 Grace']);
});

test('a cancelled booking makes room', () => {
  const room = new Room('Blue room');
  room.book('Ada', '09:00', '10:00');
  assert.equal(room.cancel('Ada', '09:00'), true);
  assert.equal(room.cancel('Ada', '09:00'), false);
  room.book('Grace', '09:30', '10:30');
  assert.deepEqual(room.list(), ['09:30–10:30 Grace']);
});

test('free slots are what lies between the bookings', () => {
  const room = new Room('Blue room');
  room.book('Ada', '09:00', '10:00');
  room.book('Grace', '13:00', '14:30');
  assert.deepEqual(room.freeSlots('08:00', '18:00'), ['08:00–09:00', '10:00–13:00', '14:30–18:00']);
});
