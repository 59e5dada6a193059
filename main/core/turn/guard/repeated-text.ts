import { COMPARED_WORDS, SIMILAR_TEXTS, SIMILARITY } from '../../limits';
import type { Guard, StepFacts, Verdict } from './guard';
import { climb } from './ladder';
import { jaccard, shingles, wordsOf } from './similarity';

/** A text is compared with this many before it, so that two alternating ones are seen too. */
const COMPARED_TEXTS = 3;

/**
 * Steps that say nearly the same again (Jaccard over three-word shingles). Short texts ("Next file.") are no sign, and a
 * step that changed a file has moved on.
 */
export class RepeatedText implements Guard {
  private readonly recent: ReadonlySet<string>[] = [];
  private count = 1;

  observe({ text, calls }: StepFacts): Verdict | null {
    const words = wordsOf(text);
    const comparable = words.length >= COMPARED_WORDS;
    const found = shingles(words);
    const similar = comparable && this.recent.some((earlier) => jaccard(earlier, found) >= SIMILARITY);
    const progress = calls.some((call) => call.changedFiles > 0);
    const before = this.count;
    this.count = similar && !progress ? before + 1 : 1;
    if (comparable) this.recent.push(found);
    if (this.recent.length > COMPARED_TEXTS) this.recent.shift();
    return this.judge(before, new Set(calls.map((call) => call.tool)));
  }

  private judge(before: number, tools: ReadonlySet<string>): Verdict | null {
    return climb(SIMILAR_TEXTS, before, this.count, {
      nudge: {
        kind: 'repeated_text',
        notice: `The agent wrote nearly the same ${this.count} times in a row; it was told.`,
        reminder: `Your last ${this.count} messages say nearly the same. Don't announce it again: take a different step, or finish with attempt_completion.`,
      },
      refusal: {
        refuses: ({ tool }) => tool !== 'attempt_completion' && tools.has(tool),
        reason: `Not run: your last ${this.count} messages say nearly the same and lead nowhere. Do something else, or finish with attempt_completion and say what is missing.`,
      },
      stop: `The agent wrote nearly the same ${this.count} times in a row.`,
    });
  }
}
