import { POLLING_CHANGES, REPEATED_CALLS } from '../../limits';
import { shownCall } from './fingerprint';
import type { CallFacts, Guard, StepFacts, Verdict } from './guard';
import { climb } from './ladder';

/**
 * The same call again and again (H3). A call whose result keeps changing polls something and is no loop; one change, as
 * from "written" to "unchanged", is not enough for that.
 */
export class RepeatedCalls implements Guard {
  private print = '';
  private count = 0;
  private results: string[] = [];

  observe({ calls }: StepFacts): Verdict | null {
    let verdict: Verdict | null = null;
    for (const call of calls) {
      const before = this.count;
      this.take(call);
      if (this.polls()) this.begin(call);
      else verdict = this.judge(before) ?? verdict;
    }
    return verdict;
  }

  private take(call: CallFacts): void {
    if (call.fingerprint !== this.print) {
      this.begin(call);
      return;
    }
    this.count += 1;
    if (!call.refused) this.results = [...this.results, call.resultHash].slice(-REPEATED_CALLS.nudge);
  }

  private begin({ fingerprint, resultHash }: CallFacts): void {
    this.print = fingerprint;
    this.count = 1;
    this.results = [resultHash];
  }

  private polls(): boolean {
    const changes = this.results.filter((result, at) => at > 0 && result !== this.results[at - 1]).length;
    return changes >= POLLING_CHANGES;
  }

  private judge(before: number): Verdict | null {
    const call = shownCall(this.print);
    return climb(REPEATED_CALLS, before, this.count, {
      nudge: {
        kind: 'repeated_calls',
        notice: `The same call was made ${this.count} times in a row; the agent was told.`,
        reminder: `You made the same call ${this.count} times in a row: ${call}. Its result will not change. Use what you have, try something else, or finish with attempt_completion.`,
      },
      refusal: {
        refuses: ({ fingerprint }) => fingerprint === this.print,
        reason: `Not run: this call was made ${this.count} times in a row. Do something else, or finish with attempt_completion and say what is missing.`,
      },
      stop: `The agent made the same call ${this.count} times in a row: ${call}.`,
    });
  }
}
