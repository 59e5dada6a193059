import { AppError } from '../../../shared/error';
import type { SessionId, TurnId } from '../../../shared/model/ids';
import { planText, type Plan, type PlanStep } from '../../../shared/model/plan';
import type { SessionCatalog } from '../session/session-catalog';
import type { SessionRuntime } from '../session/session-runtime';
import type { TurnService } from '../session/turn-service';

/** What the user does with plans: change them, and have them built. */
export class PlanService {
  constructor(
    private readonly sessions: SessionCatalog,
    /** Asked for when it is needed: turns and plans know of each other. */
    private readonly turnsOf: () => TurnService,
  ) {}

  /**
   * Replaces a plan by the user's version and tells the agent.
   *
   * @throws AppError `not_found`, `busy` while a turn runs in this session here or elsewhere
   */
  edit(sessionId: SessionId, planId: string, change: { title: string; steps: PlanStep[] }): Plan {
    const { runtime, plan } = this.find(sessionId, planId);
    const changed: Plan = { ...plan, ...change, by: 'user' };
    const note = `<context>The user changed ${planId}. It now reads:\n${planText(changed)}</context>`;
    this.write(runtime, changed, note);
    return changed;
  }

  /**
   * Goes over to agent mode and starts a turn with the plan as its request. When the turn can't start, the session stays
   * in its mode.
   *
   * @throws AppError `not_found`, and as `TurnService.start`
   */
  build(sessionId: SessionId, planId: string): { turnId: TurnId } {
    const { runtime, plan } = this.find(sessionId, planId);
    const { mode, agent } = this.sessions.get(sessionId);
    this.sessions.update(sessionId, { mode: 'agent', agent: null });
    try {
      const started = this.turnsOf().start({ sessionId, text: request(plan) });
      runtime.log.append(started.turnId, [{ type: 'plan.changed', plan: { ...plan, state: 'building' } }]);
      return started;
    } catch (error) {
      this.sessions.update(sessionId, { mode, agent });
      throw error;
    }
  }

  private find(sessionId: SessionId, planId: string): { runtime: SessionRuntime; plan: Plan } {
    const runtime = this.sessions.runtime(sessionId);
    if (this.turnsOf().isRunning(sessionId)) {
      throw new AppError('busy', 'This session is still working.', {
        hint: 'Wait until the turn ends, or stop it first.',
      });
    }
    this.turnsOf().refuseOther(sessionId);
    runtime.catchUp();
    const plan = runtime.view.plans.find((each) => each.planId === planId);
    if (plan) return { runtime, plan };
    throw new AppError('not_found', 'There is no such plan in this session.');
  }

  /** The event stands in the turn that the plan came from; there is none of its own. */
  private write(runtime: SessionRuntime, plan: Plan, note: string): void {
    const turnId = runtime.view.items.at(-1)?.turnId ?? '';
    const known = runtime.history.messages.length;
    const message = runtime.history.append({ role: 'user', content: note });
    try {
      runtime.log.appendWhole(turnId, [{ type: 'plan.changed', plan }], [message]);
    } catch (error) {
      runtime.history.takeBack(known);
      throw error;
    }
  }
}

const request = (plan: Plan): string =>
  `Build this plan (${plan.planId}). Mark its steps with create_plan as you go.\n\n${planText(plan)}`;
