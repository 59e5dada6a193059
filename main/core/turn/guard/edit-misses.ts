import { EDIT_MISSES } from '../../limits';
import type { CallFacts, Guard, StepFacts, Verdict } from './guard';

/** Reasons of a failed edit that say: the text to replace is not there as it was given. */
const MISSES = new Set(['no_match', 'ambiguous']);

const missed = (call: CallFacts): boolean => call.effect === 'write' && MISSES.has(call.errorReason);

/** Edits whose text is not in the file, one after the other (H4). Reading in between does not end the streak; an edit that works does. */
export class EditMisses implements Guard {
  private count = 0;

  observe({ calls }: StepFacts): Verdict | null {
    const before = this.count;
    for (const call of calls) {
      if (missed(call)) this.count += 1;
      else if (call.changedFiles > 0) this.count = 0;
    }
    if (this.count < EDIT_MISSES || before >= EDIT_MISSES) return null;
    return {
      nudge: {
        kind: 'edit_no_match',
        notice: `${this.count} edits in a row did not find their text; the agent was told.`,
        reminder: `${this.count} edits in a row did not match the file. Don't guess its text: read those lines again now and copy old_string from the result, without the line numbers, with a line or two around it.`,
      },
    };
  }
}
