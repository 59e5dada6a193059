import { expect, test } from 'vitest';
import type { PendingApproval } from '../../../shared/model/approval';
import type { FileDiff } from '../../../shared/model/diff';
import type { CallId } from '../../../shared/model/ids';
import { emptySessionView, type ItemView, type SessionView } from '../../../shared/model/session-view';
import { newestEdit } from './edit-ref';

const diff = (path: string) => ({ path }) as FileDiff;
const step = (...calls: { callId: string; paths: string[] }[]) =>
  ({
    kind: 'step',
    calls: calls.map(({ callId, paths }) => ({
      callId: callId as CallId,
      diffs: paths.map((path) => ({ diff: diff(path), reverted: false })),
    })),
  }) as ItemView;
const view = (items: ItemView[], approvals: PendingApproval[] = []): SessionView => ({
  ...emptySessionView(),
  items,
  approvals,
});
const waiting = (kind: 'write' | 'command') =>
  ({ callId: 'w' as CallId, subject: { kind, diffs: [diff('w.ts')] } }) as unknown as PendingApproval;

test('the newest edit is the last file of the last call that changed one', () => {
  const items = [
    step({ callId: 'a', paths: ['1.ts'] }),
    step({ callId: 'b', paths: ['2.ts', '3.ts'] }, { callId: 'c', paths: [] }),
    { kind: 'end' } as ItemView,
  ];
  expect(newestEdit(view(items))).toEqual({ callId: 'b', path: '3.ts' });
  expect(newestEdit(view([step({ callId: 'c', paths: [] })]))).toBeNull();
});

test('a write that waits for approval comes before what was done; a command does not', () => {
  const items = [step({ callId: 'a', paths: ['1.ts'] })];
  expect(newestEdit(view(items, [waiting('command'), waiting('write')]))).toEqual({
    callId: 'w',
    path: 'w.ts',
  });
  expect(newestEdit(view(items, [waiting('command')]))).toEqual({ callId: 'a', path: '1.ts' });
});
