import { expect, test } from 'vitest';
import type { SessionId } from '../../shared/model/ids';
import { waitingCount } from './waiting';

const approvalOf = (id: string) => ({ sessionId: id as SessionId });

test('what waits is counted once: the session on screen tells its own, questions too, others by their approvals', () => {
  expect(waitingCount([], { sessionId: 'a', waiting: 0 })).toBe(0);
  expect(waitingCount([approvalOf('a')], { sessionId: 'a', waiting: 2 })).toBe(2);
  expect(waitingCount([approvalOf('a'), approvalOf('b')], { sessionId: 'a', waiting: 1 })).toBe(2);
  expect(waitingCount([approvalOf('b')], { sessionId: null, waiting: 0 })).toBe(1);
});
