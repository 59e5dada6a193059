import type { TodoItem } from '../../../../shared/model/todo';
import type { ReplyCall } from '../../model/port';
import type { TurnEvidence } from '../receipt/evidence';
import { CallCycle } from './call-cycle';
import { DirectoryDrill } from './directory-drill';
import { EditMisses } from './edit-misses';
import { ExplorationStreak } from './exploration-streak';
import { fingerprint } from './fingerprint';
import { GoalVerifier } from './goal-verifier';
import type { Guard, Nudge, Refusal, StepFacts } from './guard';
import { RepeatedCalls } from './repeated-calls';
import { RepeatedText } from './repeated-text';
import { SearchScatter } from './search-scatter';
import { isClosing, StepBudget } from './step-budget';

export interface GuardOptions {
  maxSteps: number;
  /** False where there is no attempt_completion to close with: the last steps are then like all others. */
  canClose: boolean;
  wantsChange(): boolean;
  evidence: TurnEvidence;
  /** The to-do list where open items hold a completion back; [] elsewhere. */
  todos(): readonly TodoItem[];
}

const callArguments = ({ args }: ReplyCall): unknown => (args.ok ? args.value : null);

/** All guards of one turn as one. Keeps which calls the coming step may not make. */
export class GuardSet {
  private readonly guards: readonly Guard[];
  private readonly budget: StepBudget;
  private readonly verifier: GoalVerifier;
  private refusals: Refusal[] = [];
  private coming: Refusal[] = [];
  private step = 0;
  private readonly warnings: Nudge[] = [];

  constructor(private readonly options: GuardOptions) {
    const { maxSteps, wantsChange } = options;
    this.budget = new StepBudget(maxSteps);
    this.verifier = new GoalVerifier(options);
    this.guards = [
      new RepeatedCalls(),
      new CallCycle(),
      new RepeatedText(),
      new SearchScatter(),
      new ExplorationStreak(wantsChange),
      new DirectoryDrill(),
      new EditMisses(),
    ];
  }

  /** True in the last steps, in which only attempt_completion counts (H5). */
  isClosing(step: number): boolean {
    return this.options.canClose && isClosing(step, this.options.maxSteps);
  }

  /** Opens a step. @returns what to tell the model before it */
  before(step: number): Nudge[] {
    this.step = step;
    const verdict = this.options.canClose ? this.budget.before(step) : null;
    this.refusals = [...this.coming, ...(verdict?.refusal ? [verdict.refusal] : [])];
    this.coming = [];
    return verdict?.nudge ? [verdict.nudge] : [];
  }

  /** Why a call of this step may not run, as its result for the model; null when it may. Asked right before it would run. */
  refusal(call: ReplyCall): string | null {
    const args = callArguments(call);
    const facts = { tool: call.name, fingerprint: fingerprint(call.name, args) };
    const refused = this.refusals.find((refusal) => refusal.refuses(facts));
    if (refused) return refused.reason;
    return call.name === 'attempt_completion' && call.args.ok ? this.review(args) : null;
  }

  /** Closes a step. @returns hints for the model, warnings for the user, and why the turn ends here */
  after(facts: StepFacts): { nudges: Nudge[]; warnings: Nudge[]; stop: string | null } {
    const verdicts = this.guards.flatMap((guard) => guard.observe(facts) ?? []);
    this.coming = verdicts.flatMap(({ refusal }) => refusal ?? []);
    return {
      nudges: verdicts.flatMap(({ nudge }) => nudge ?? []),
      warnings: this.warnings.splice(0),
      stop: verdicts.find(({ stop }) => stop !== undefined)?.stop ?? null,
    };
  }

  private review(args: unknown): string | null {
    const result = (args as { result?: unknown } | null)?.result;
    if (typeof result !== 'string') return null;
    const verdict = this.verifier.review(result, this.isClosing(this.step));
    if (verdict === null) return null;
    this.warnings.push(verdict.tell);
    return verdict.sendBack ?? null;
  }
}
