import { expect, test } from 'vitest';
import { evidenceRecovery } from './evidence-recovery';

test('H7: only the first step of a question about the code, and only when nothing was looked at', () => {
  expect(evidenceRecovery(1, true, false)?.kind).toBe('needs_evidence');
  expect(evidenceRecovery(2, true, false)).toBeNull();
  expect(evidenceRecovery(1, false, false)).toBeNull();
  expect(evidenceRecovery(1, true, true)).toBeNull();
});
