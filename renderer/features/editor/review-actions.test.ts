import { expect, test } from 'vitest';
import type { ReviewHunk } from '../../../shared/model/change';
import { leavingDocument } from './close-tabs';
import { setTabs } from './editor-state';
import { stepPlace, type HunkPlace } from './review-actions';
import { documentOf, NO_TABS, openDiffTab, openTab, renameTabs, sideBySideTabId, type DiffTab } from './tabs';

const place = (start: number, end: number): HunkPlace => ({
  hunk: { id: `${start}` } as ReviewHunk,
  start,
  end,
});

test('steps go from the cursor to the next and previous change, round the ends', () => {
  const places = [place(20, 22), place(5, 5), place(40, 41)];
  const from = (line: number, by: 1 | -1): number | undefined => stepPlace(places, line, by)?.start;
  expect(from(1, 1)).toBe(5);
  expect(from(5, 1)).toBe(20);
  expect(from(21, 1)).toBe(40);
  expect(from(21, -1)).toBe(5);
  expect(from(41, 1)).toBe(5);
  expect(from(1, -1)).toBe(40);
  expect(stepPlace([], 1, 1)).toBeNull();
});

const live: DiffTab = {
  ...{ kind: 'diff', id: sideBySideTabId('src/a.ts'), title: 'a.ts: review', path: 'src/a.ts' },
  ...{ original: '', modified: '', sides: ['Accepted', 'Now'], conflict: false, live: true },
};

test('a side-by-side tab holds the document: only the last tab that shows it lets it go', () => {
  expect(documentOf(live)).toBe('src/a.ts');
  expect(documentOf({ ...live, live: false })).toBeNull();
  setTabs(() => openDiffTab(openTab(NO_TABS, 'src/a.ts', false), live));
  expect(leavingDocument([live.id], live.id)).toBeNull();
  expect(leavingDocument([live.id, 'src/a.ts'], live.id)).toBe('src/a.ts');
  setTabs(() => openDiffTab(NO_TABS, live));
  expect(leavingDocument([live.id], live.id)).toBe('src/a.ts');
  setTabs(() => NO_TABS);
});

test('when its file moves, a side-by-side tab closes and the file’s own tab follows', () => {
  const moved = renameTabs(openDiffTab(openTab(NO_TABS, 'src/a.ts', false), live), 'src/a.ts', 'src/b.ts');
  expect(moved.tabs.map(({ id }) => id)).toEqual(['src/b.ts']);
});
