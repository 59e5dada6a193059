import { expect, test } from 'vitest';
import { Sha256 } from '../../../shared/model/ids';
import {
  freshSync,
  mayMerge,
  maySave,
  maySaveByItself,
  mustReload,
  needsSave,
  nextSync,
  saveBase,
  type Sync,
  type SyncEvent,
} from './sync';

const hash = (letter: string): Sha256 => Sha256.parse(letter.repeat(64));
const [one, two, three] = [hash('1'), hash('2'), hash('3')];
const after = (...events: SyncEvent[]): Sync => events.reduce(nextSync, freshSync(one));
const edited: SyncEvent = { type: 'edited', dirty: true };
const looked = (found: Sha256 | null, exists = true): SyncEvent => ({ type: 'looked', exists, hash: found });

test('case-D01: text edited on both sides can not be saved until somebody chose', () => {
  const sync = after(edited, looked(two));
  expect(sync).toMatchObject({ disk: 'changed', diskHash: two, dirty: true, baseHash: one });
  expect([maySave(sync), maySaveByItself(sync)]).toEqual([false, false]);
});

test('case-D01: keeping mine lets the next save replace exactly what was seen', () => {
  const sync = nextSync(after(edited, looked(two)), { type: 'kept_mine' });
  expect([maySave(sync), saveBase(sync), sync.dirty]).toEqual([true, two, true]);
  expect(nextSync(sync, looked(three)).disk).toBe('changed');
});

test('case-D01: a save that the host refuses becomes the same question and remembers that saving was wanted', () => {
  const sync = after(edited, { type: 'saving' }, { type: 'refused', exists: true, hash: two });
  expect(sync).toMatchObject({ disk: 'changed', saveWanted: true, saving: false });
});

test('case-D02: an untouched file just follows the disk', () => {
  const sync = freshSync(one);
  expect(mustReload(sync, true, two)).toBe(true);
  expect(nextSync(sync, looked(two))).toBe(sync);
  expect(nextSync(sync, { type: 'reloaded', hash: two })).toEqual(freshSync(two));
});

test('case-D04: a deleted file keeps its text, saving writes it anew, and it is itself again when it comes back', () => {
  const sync = after(looked(null, false));
  expect([sync.disk, needsSave(sync), saveBase(sync)]).toEqual(['deleted', true, null]);
  expect(nextSync(sync, looked(one)).disk).toBe('same');
  expect(mustReload(sync, true, two)).toBe(true);
  expect(nextSync(after(edited, looked(null, false)), looked(two)).disk).toBe('changed');
});

test('case-D05: only the contents count: the same hash is the same file', () => {
  expect(mustReload(freshSync(one), true, one)).toBe(false);
  expect(after(edited, looked(two), looked(one)).disk).toBe('same');
});

test('case-D11: typed text meets what another wrote: merged, it stands on the disk’s version and is still unsaved', () => {
  const sync = after(edited);
  expect([mayMerge(sync, two), mayMerge(sync, one), mayMerge(sync, null)]).toEqual([true, false, false]);
  expect([mayMerge(freshSync(one), two), mayMerge(nextSync(freshSync(null), edited), two)]).toEqual([
    false,
    false,
  ]);
  const merged = nextSync(sync, { type: 'rebased', hash: two, dirty: true });
  expect(merged).toEqual({ ...freshSync(two), dirty: true });
  expect([maySave(merged), saveBase(merged), nextSync(merged, looked(two)).disk]).toEqual([
    true,
    two,
    'same',
  ]);
  // A save that was refused goes on with the merged text.
  const refused = after(edited, { type: 'saving' });
  expect(maySave(nextSync(refused, { type: 'rebased', hash: two, dirty: true }))).toBe(true);
});

test('case-D08: something that is no text in the place of edited text is a conflict', () => {
  expect(after(edited, looked(null))).toMatchObject({ disk: 'changed', diskHash: null });
});

test('typing during a save leaves the file unsaved', () => {
  expect(after(edited, { type: 'saving' }, { type: 'saved', hash: two, dirty: true })).toEqual({
    ...freshSync(two),
    dirty: true,
  });
});

test('a failed save keeps everything and stops saving by itself until somebody tries again', () => {
  const error = { code: 'disk_full' as const, message: 'The disk is full.', audience: 'user' as const };
  const sync = after(edited, { type: 'saving' }, { type: 'failed', error });
  expect([sync.dirty, sync.failure, maySave(sync), maySaveByItself(sync)]).toEqual([
    true,
    error,
    true,
    false,
  ]);
  expect(nextSync(sync, { type: 'saving' }).failure).toBeNull();
});
