import type { Nudge } from './guard';

/**
 * A question about the code that is answered in prose before anything was looked at is sent back to look (H7). Once: who
 * then still answers without a look has been told.
 */
export function evidenceRecovery(step: number, needsEvidence: boolean, toolsUsed: boolean): Nudge | null {
  if (step !== 1 || !needsEvidence || toolsUsed) return null;
  return {
    kind: 'needs_evidence',
    notice: 'The agent answered without looking at the code; it was sent back to look.',
    reminder:
      'You answered a question about this code without looking at it. Search and read the places in question first, then answer with `path:line` for what you say. If the answer really needs no look at the code, say so and repeat it.',
  };
}
