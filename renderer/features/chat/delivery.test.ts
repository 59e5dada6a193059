import { expect, test } from 'vitest';
import { deliveryOf } from './delivery';

const press = (...held: ('altKey' | 'shiftKey' | 'ctrlKey' | 'metaKey')[]) => ({
  key: 'Enter',
  altKey: held.includes('altKey'),
  shiftKey: held.includes('shiftKey'),
  ctrlKey: held.includes('ctrlKey'),
  metaKey: held.includes('metaKey'),
});

test('Enter takes the default way, Alt+Enter queues, Ctrl+Shift+Enter stops first, Shift+Enter breaks the line', () => {
  expect(deliveryOf(press())).toBe('default');
  expect(deliveryOf(press('ctrlKey'))).toBe('default');
  expect(deliveryOf(press('altKey'))).toBe('queue');
  expect(deliveryOf(press('ctrlKey', 'shiftKey'))).toBe('stop');
  expect(deliveryOf(press('metaKey', 'shiftKey'))).toBe('stop');
  expect(deliveryOf(press('shiftKey'))).toBeNull();
  expect(deliveryOf(press('altKey', 'shiftKey'))).toBeNull();
  expect(deliveryOf({ ...press(), key: 'a' })).toBeNull();
});
