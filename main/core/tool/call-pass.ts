import { AppError } from '../../../shared/error';
import type { DecidedBy } from '../../../shared/model/approval';
import type { ApprovalReply, PolicyDecision } from '../approval/types';
import { askForApproval } from './call-approval';
import { callDigest } from './call-digest';
import { cancelledEnd, deniedEnd, failedEnd, finishedEnd, type CallEnd } from './call-outcome';
import { planCalls, type CallPlan, type Runs } from './call-plan';
import { Ended, type CallRun } from './call-run';
import type { KeyedLock } from './keyed-lock';
import type { ToolRunnerOptions } from './runner-options';
import type { CallOutcome, ToolResult } from './types';

/** How often a call whose file keeps changing is prepared and asked about (sec-B15). */
const MAX_PREPARATIONS = 3;
/** How long an aborted tool may take to say how it ended before the turn goes on without it (H11: 200 ms in all). */
const ABORT_GRACE_MS = 120;

type Effects = ReturnType<CallPlan['carryOut']>;

interface Permitted {
  by: DecidedBy;
  /** A person saw the plan and allowed it for once. */
  isReviewed: boolean;
  plan: CallPlan;
}

/**
 * The way from a model's calls to their outcomes: validate → judge → plan → ask → journal → carry out → write down. Nearly
 * always one call; several when they edit one file (H10), which is then asked about and written once.
 */
export class CallPass {
  /** Calls that the newest plan leaves out, with the reason. */
  private failed: ReadonlyMap<CallRun, unknown> = new Map();

  constructor(
    private readonly runs: readonly CallRun[],
    private readonly options: ToolRunnerOptions,
    private readonly locks: KeyedLock,
  ) {}

  /** @returns outcomes in the order of the calls. Never throws. */
  async run(): Promise<CallOutcome[]> {
    const ends = new Map<CallRun, CallEnd>();
    await Promise.all(
      this.runs.map(async (run) => {
        const end = await run.open();
        if (end !== null) ends.set(run, end);
      }),
    );
    const [first, ...rest] = this.runs.filter((run) => !ends.has(run));
    if (first !== undefined) await this.settle([first, ...rest], ends);
    const outcomes: CallOutcome[] = [];
    for (const run of this.runs) outcomes.push(await run.close(ends.get(run) ?? cancelledEnd()));
    return outcomes;
  }

  private async settle(runs: Runs, ends: Map<CallRun, CallEnd>): Promise<void> {
    const endRest = (endOf: (run: CallRun) => CallEnd): void => {
      for (const run of runs) {
        if (!ends.has(run))
          ends.set(run, this.failed.has(run) ? failedEnd(this.failed.get(run)) : endOf(run));
      }
    };
    try {
      const permitted = await this.permit(runs);
      const carried = await this.execute(permitted);
      for (const [run, result] of carried)
        ends.set(run, finishedEnd(result, permitted.by, permitted.isReviewed));
      endRest(() => cancelledEnd());
    } catch (error) {
      endRest((run) => run.endFor(error));
    }
  }

  /** Plans, judges and asks until the calls may run on exactly what was shown. */
  private async permit(runs: Runs): Promise<Permitted> {
    const [first] = runs;
    for (let round = 1; round <= MAX_PREPARATIONS; round += 1) {
      // Calls of one pass have tool, mode and paths in common: what holds for one holds for all.
      const judged = await first.judge();
      if (judged.verdict === 'deny') throw new Ended(deniedEnd(judged.by, judged.reason));
      const plan = await this.plan(runs);
      const decision = heldBack(judged, plan.prepared?.mustAsk);
      first.stopIfAborted();
      if (decision.verdict === 'allow' || plan.runs.length === 0) {
        if (decision.grantId !== null) this.options.onGrantUsed?.(decision.grantId);
        return { by: decision.by, isReviewed: false, plan };
      }
      const { by, answer } = await this.ask(decision, plan, round > 1);
      const isReviewed = by === 'user' && answer === 'allow_once' && plan.prepared?.subject.kind === 'write';
      if (plan.prepared?.isStale === undefined || !(await plan.prepared.isStale()))
        return { by, isReviewed, plan };
    }
    throw new AppError('stale', 'The file kept changing while its change waited for approval.', {
      audience: 'model',
      hint: 'Read the file again and redo the change.',
    });
  }

  private async plan(runs: Runs): Promise<CallPlan> {
    this.failed = new Map();
    const plan = await planCalls(runs);
    this.failed = plan.failed;
    return plan;
  }

  private async ask(decision: PolicyDecision, plan: CallPlan, again: boolean): Promise<ApprovalReply> {
    const [first] = plan.runs;
    if (first === undefined) throw new AppError('internal', 'There is nothing to ask about.');
    const digest = this.digest(plan);
    await Promise.all(plan.runs.map((run) => run.state('awaiting_approval')));
    const subject = plan.prepared?.subject ?? {
      kind: 'other' as const,
      summary: first.tool.label(first.args),
      arguments: JSON.stringify(first.args, null, 2),
    };
    const { gate, approvalTimeoutMs: timeoutMs } = this.options;
    const asked = {
      ...{ callId: first.id, tool: first.tool.name, calls: plan.runs.length },
      ...{ subject, decision, digest, again },
    };
    const reply = await askForApproval(asked, first.environment, {
      gate,
      timeoutMs,
      onGrant: (rule, scope, sessionId) => this.options.onGrant(rule, scope, sessionId),
      now: () => this.options.clock?.() ?? Date.now(),
    });
    first.stopIfAborted();
    if (reply.answer === 'deny') throw new Ended(deniedEnd(reply.by, ''));
    // The answer holds for exactly what was shown (sec-C23).
    if (this.digest(plan) !== digest)
      throw new AppError('stale', 'The call changed while it waited for approval.');
    return reply;
  }

  private digest({ runs }: CallPlan): string {
    const args = runs.map((run) => run.args);
    return callDigest({
      tool: runs[0]?.tool.name ?? '',
      args: args.length === 1 ? args[0] : args,
      cwd: runs[0]?.subject.cwd ?? this.options.projectRoot,
      env: { confinement: this.options.confinement, ...this.options.commandEnv?.() },
    });
  }

  /** The journal entries come first: after a crash a call that may have had an effect is known to have started. */
  private async execute(permitted: Permitted): Promise<[CallRun, ToolResult][]> {
    const { by, plan } = permitted;
    const [first] = plan.runs;
    if (first === undefined) return [];
    first.stopIfAborted();
    try {
      if (first.tool.effect === 'write') await this.options.beforeEffect?.();
      await this.begin(plan);
      await Promise.all(plan.runs.map((run) => run.state('running', { by })));
      if (first.tool.effect !== 'write') return await this.effect(plan);
      return await this.locks.run(first.subject.paths, async () => {
        first.stopIfAborted();
        return await this.effectOnCurrent(permitted);
      });
    } finally {
      plan.prepared?.abandon?.();
    }
  }

  /** The disk gets what it can work on while the journal is written. */
  private async begin({ prepared }: CallPlan): Promise<void> {
    await prepared?.begin?.();
  }

  /**
   * A change that nobody was asked about is worked out anew when another call changed the file first (case-E22); one that
   * a person approved is not: they saw something else. Calls that were left out stay out: they are not in the journal.
   */
  private async effectOnCurrent({ by, plan }: Permitted): Promise<[CallRun, ToolResult][]> {
    const leftOut = plan.failed;
    let current = plan;
    for (let round = 1; ; round += 1) {
      const [first, ...rest] = current.runs;
      if (first === undefined) return [];
      try {
        return await this.effect(current);
      } catch (error) {
        const stale = error instanceof AppError && error.code === 'stale';
        if (!stale || by === 'user' || first.tool.prepare === undefined || round === MAX_PREPARATIONS)
          throw error;
        current = await this.plan([first, ...rest]);
        this.failed = new Map([...leftOut, ...current.failed]);
      }
    }
  }

  private async effect(plan: CallPlan): Promise<[CallRun, ToolResult][]> {
    const results = await this.unlessStopped(plan, plan.carryOut());
    return plan.runs.flatMap((run, index) => {
      const result = results[index];
      return result === undefined ? [] : [[run, result]];
    });
  }

  /** What takes effect although its calls have ended as stopped is in the change log all the same. */
  private async recordLate(plan: CallPlan, running: Effects): Promise<void> {
    const results = await running.catch(() => []);
    for (const [index, run] of plan.runs.entries()) {
      const result = results[index];
      // The call has ended; a failure to say what it did has nobody left to be told.
      if (result) await run.recordLate(result).catch(() => undefined);
    }
  }

  private async unlessStopped(plan: CallPlan, running: Effects): Effects {
    const signal = this.runs[0]?.environment.signal;
    const stopped = new Promise<never>((_resolve, reject) => {
      const onAbort = (): void => {
        setTimeout(() => {
          reject(new Ended(cancelledEnd()));
          void this.recordLate(plan, running);
        }, ABORT_GRACE_MS).unref();
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      const detach = (): void => signal?.removeEventListener('abort', onAbort);
      running.then(detach, detach);
    });
    return await Promise.race([running, stopped]);
  }
}

/** What rules allow is asked about all the same when the plan says so; a flag stands in for the person. */
function heldBack(decision: PolicyDecision, mustAsk: string | undefined): PolicyDecision {
  if (mustAsk === undefined) return decision;
  const warnings = [...decision.warnings, mustAsk];
  if (decision.verdict !== 'allow' || decision.by === 'flag') return { ...decision, warnings };
  return { ...decision, verdict: 'ask', reason: mustAsk, warnings, proposedRule: null, grantId: null };
}
