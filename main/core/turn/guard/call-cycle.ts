import { CYCLE_LENGTH, CYCLE_ROUNDS, REPEATED_CALLS } from '../../limits';
import { hashText, shownCall } from './fingerprint';
import type { CallFacts, Guard, StepFacts, Verdict } from './guard';
import { climb, type Rungs } from './ladder';

interface Entry {
  key: string;
  fingerprint: string;
}

/** As many calls in all as identical ones may be, and never fewer rounds than it takes to see a cycle. */
function rungsFor(length: number): Rungs {
  const rounds = (rung: keyof Rungs): number =>
    Math.max(CYCLE_ROUNDS[rung], Math.ceil(REPEATED_CALLS[rung] / length));
  return { nudge: rounds('nudge'), refuse: rounds('refuse'), stop: rounds('stop') };
}

/** True for AA, AAAA and ABAB: a shorter cycle, which is told as that. */
const isRepetition = (members: readonly string[]): boolean =>
  [1, 2].some(
    (period) => period < members.length && members.every((member, at) => member === members[at % period]),
  );

/**
 * Two to four calls that take turns with the same arguments and the same results (a single one is {@link RepeatedCalls}).
 * Results count: what changes in between is progress.
 */
export class CallCycle implements Guard {
  private readonly recent: Entry[] = [];
  /** Per cycle length: how many of the latest calls equal the one a length before. */
  private readonly matched = new Map<number, number>();
  /** A refused call has no result of its own: it goes on with the one it had. */
  private readonly results = new Map<string, string>();

  observe({ calls }: StepFacts): Verdict | null {
    let verdict: Verdict | null = null;
    for (const call of calls) verdict = this.take(call) ?? verdict;
    return verdict;
  }

  private take(call: CallFacts): Verdict | null {
    // Hashed: arguments may hold whole files, and this is kept for the turn.
    const print = hashText(call.fingerprint);
    if (!call.refused) this.results.set(print, call.resultHash);
    const entry = { key: `${this.results.get(print) ?? ''} ${print}`, fingerprint: call.fingerprint };
    let verdict: Verdict | null = null;
    for (let length = 2; length <= CYCLE_LENGTH; length += 1) verdict ??= this.match(length, entry);
    this.recent.push(entry);
    if (this.recent.length > CYCLE_LENGTH) this.recent.shift();
    return verdict;
  }

  private match(length: number, entry: Entry): Verdict | null {
    const known = this.matched.get(length) ?? 0;
    const now = this.recent.at(-length)?.key === entry.key ? known + 1 : 0;
    this.matched.set(length, now);
    const members = [...this.recent.slice(1 - length), entry].map(({ fingerprint }) => fingerprint);
    if (isRepetition(members)) return null;
    const rounds = (matches: number): number => Math.floor((matches + length) / length);
    return this.judge(members, length, rounds(known), rounds(now));
  }

  private judge(members: string[], length: number, before: number, after: number): Verdict | null {
    const names = members.map((member) => shownCall(member)).join('; ');
    return climb(rungsFor(length), before, after, {
      nudge: {
        kind: 'call_cycle',
        notice: `The same ${length} calls came round ${after} times with the same results; the agent was told.`,
        reminder: `You go round in a circle: ${names}. These ${length} calls gave the same results ${after} times. Use what you have, try something else, or finish with attempt_completion.`,
      },
      refusal: {
        refuses: ({ fingerprint }) => members.includes(fingerprint),
        reason: `Not run: this call is part of a circle that came round ${after} times with the same results. Do something else, or finish with attempt_completion and say what is missing.`,
      },
      stop: `The agent went round in a circle ${after} times: ${names}.`,
    });
  }
}
