import type { ProjectState } from './states';

/** Runs the test on a state. */
export type Trial = (state: ProjectState, label: string) => Promise<boolean>;

/**
 * Says whether the test passes in a state. Each state is tried once as long as no result contradicts another; from the
 * first contradiction on two of three results count.
 */
export class Judge {
  private readonly votes = new Map<string, { passed: number; failed: number }>();
  isFlaky = false;

  constructor(private readonly trial: Trial) {}

  async passes(state: ProjectState, label: string): Promise<boolean> {
    const votes = this.votesOf(state);
    while (Math.max(votes.passed, votes.failed) < (this.isFlaky ? 2 : 1)) await this.vote(state, label);
    return votes.passed > votes.failed;
  }

  /** Tries a state once more. @returns whether the result is the same; otherwise the test is flaky from now on */
  async confirm(state: ProjectState, label: string): Promise<boolean> {
    await this.vote(state, label);
    const { passed, failed } = this.votesOf(state);
    this.isFlaky ||= passed > 0 && failed > 0;
    return passed === 0 || failed === 0;
  }

  private votesOf({ key }: ProjectState): { passed: number; failed: number } {
    const votes = this.votes.get(key) ?? { passed: 0, failed: 0 };
    this.votes.set(key, votes);
    return votes;
  }

  private async vote(state: ProjectState, label: string): Promise<void> {
    const { passed: before, failed } = this.votesOf(state);
    const passed = await this.trial(state, before + failed === 0 ? label : `${label}, once more`);
    this.votesOf(state)[passed ? 'passed' : 'failed'] += 1;
  }
}

/** One of a row of states, made when it is needed. */
export interface Point {
  label: string;
  state(): Promise<ProjectState>;
}

/**
 * The first point of a row that fails, when the first one passes and the last one fails. What was found is tried once
 * more; when that contradicts, the search is made again with votes.
 *
 * @param confirm whether to try again what was found
 */
export async function firstFailing(
  points: readonly Point[],
  judge: Judge,
  confirm: boolean,
): Promise<number> {
  for (;;) {
    const found = await halve(points, judge);
    if (!confirm || judge.isFlaky || points.length <= 2) return found;
    // The ends were tried before the search began; of the two at the border the one in between is the less certain.
    const doubtful = points[found === points.length - 1 ? found - 1 : found];
    if (doubtful === undefined || (await judge.confirm(await doubtful.state(), doubtful.label))) return found;
  }
}

async function halve(points: readonly Point[], judge: Judge): Promise<number> {
  let [good, bad] = [0, points.length - 1];
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    const point = points[middle] as Point;
    if (await judge.passes(await point.state(), point.label)) good = middle;
    else bad = middle;
  }
  return bad;
}
