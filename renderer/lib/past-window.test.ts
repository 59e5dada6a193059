import { expect, test } from 'vitest';
import type { ItemView } from '../../shared/model/session-view';
import { joined, pastWindow, withNewer, withOlder } from './past-window';

const items = (from: number, to: number): ItemView[] =>
  Array.from({ length: to - from }, (_, i) => ({ kind: 'notice', key: `n${from + i}` }) as ItemView);
const keys = (list: readonly ItemView[]) => list.map(({ key }) => key);

test('a part of a session grows at both ends and knows what lies beyond', () => {
  const past = pastWindow({ items: items(10, 14), olderItems: 10 }, 30);
  expect(past).toMatchObject({ olderItems: 10, newerItems: 16 });
  const more = withNewer(withOlder(past, { items: items(8, 10), olderItems: 8 }), items(14, 20), 30);
  expect(keys(more.items)).toEqual(keys(items(8, 20)));
  expect(more).toMatchObject({ olderItems: 8, newerItems: 10 });
});

test('it joins the newest items once nothing lies between them, without doubling any', () => {
  const past = pastWindow({ items: items(0, 6), olderItems: 0 }, 12);
  expect(joined(past, { items: items(8, 12), olderItems: 8 })).toBeNull();
  expect(keys(joined(past, { items: items(6, 12), olderItems: 6 })?.items ?? [])).toEqual(keys(items(0, 12)));
  const whole = joined(past, { items: items(4, 12), olderItems: 4 });
  expect(keys(whole?.items ?? [])).toEqual(keys(items(0, 12)));
  expect(whole?.olderItems).toBe(0);
});
