import { z } from 'zod';
import { AppError, toErrorShape } from '../../../shared/error';
import type { DecidedBy } from '../../../shared/model/approval';
import type { CallId } from '../../../shared/model/ids';
import type { CallState, TurnEventPayload } from '../../../shared/model/turn-event';
import type { PolicyDecision, PolicyInput } from '../approval/types';
import type { ReplyCall } from '../model/port';
import { closeNames, describeIssues, repairArguments } from './argument-repair';
import { askForApproval } from './call-approval';
import { callContext, type CallOutput } from './call-context';
import { callDigest } from './call-digest';
import { cancelledEnd, deniedEnd, failedEnd, finishedEnd, type CallEnd } from './call-outcome';
import type { KeyedLock } from './keyed-lock';
import type { ToolRunnerOptions } from './runner-options';
import type {
  CallEnvironment,
  CallOutcome,
  CallSubject,
  Prepared,
  ToolContext,
  ToolDefinition,
} from './types';

/** How often a call whose file keeps changing is prepared and asked about (sec-B15). */
const MAX_PREPARATIONS = 3;
/** How long an aborted tool may take to say how it ended before the turn goes on without it (H11: 200 ms in all). */
const ABORT_GRACE_MS = 120;

type StateEvent = Extract<TurnEventPayload, { type: 'call.state' }>;

/** Stands in for a tool that does not exist until the call is refused for it. */
const NO_TOOL: ToolDefinition = {
  name: '',
  effect: 'interact',
  describe: '',
  input: z.never(),
  modes: [],
  subject: () => ({ paths: [] }),
  label: () => '',
  run: () => Promise.reject(new AppError('internal', 'There is no such tool.')),
};

interface Permitted {
  by: DecidedBy;
  prepared: Prepared | null;
}

/** Thrown inside a call to end it in a given way. */
class Ended extends Error {
  constructor(readonly end: CallEnd) {
    super(end.modelText);
  }
}

/** One call on its way from the model's reply to its outcome. */
export class CallRun {
  private readonly startedAt: number;
  private readonly output: CallOutput;
  private readonly context: ToolContext;
  private readonly id: CallId;
  private tool: ToolDefinition;
  private args: unknown = {};
  private subject: CallSubject = { paths: [] };

  constructor(
    private readonly call: ReplyCall,
    private readonly environment: CallEnvironment,
    private readonly options: ToolRunnerOptions,
    private readonly locks: KeyedLock,
  ) {
    this.startedAt = this.now();
    this.id = call.id as CallId;
    this.tool = options.registry.get(call.name)?.definition ?? NO_TOOL;
    const made = callContext(call, environment, options, (path) => this.permits(path));
    this.context = made.context;
    this.output = made.output;
  }

  async run(): Promise<CallOutcome> {
    const end = await this.toEnd();
    const { label, ...rest } = end;
    const outcome: CallOutcome = { callId: this.call.id, tool: this.call.name, ...rest };
    try {
      await this.output.drained();
      for (const diff of end.diffs) {
        await this.environment.emit({ type: 'diff', callId: this.id, diff });
      }
      await this.state(end.state, {
        ...(label === undefined ? {} : { label }),
        ...(end.by === undefined ? {} : { by: end.by }),
        ...(end.error === undefined ? {} : { error: end.error }),
        ...(end.result === undefined ? {} : { result: end.result }),
        durationMs: this.now() - this.startedAt,
      });
      return outcome;
    } catch (error) {
      // The effect happened but could not be written down: the model is told, the journal says "result unknown".
      return { ...outcome, error: outcome.error ?? toErrorShape(error) };
    }
  }

  private async toEnd(): Promise<CallEnd> {
    try {
      await this.state('validating');
      this.stopIfAborted();
      this.readCall();
      this.refuseByMode();
      this.subject = await this.resolveSubject(this.tool.subject(this.args));
      const permitted = await this.permit();
      return await this.execute(permitted);
    } catch (error) {
      if (error instanceof Ended) return error.end;
      if (this.environment.signal.aborted) return cancelledEnd();
      return failedEnd(error);
    }
  }

  private readCall(): void {
    const found = this.options.registry.get(this.call.name);
    if (found === undefined) throw unknownTool(this.call.name, this.options.registry.names());
    if (!this.call.args.ok) throw badArguments(this.call.name, this.call.args.message);
    const parsed = found.definition.input.safeParse(repairArguments(this.call.args.value, found.schema));
    if (!parsed.success) throw badArguments(this.call.name, describeIssues(parsed.error));
    this.args = parsed.data;
  }

  private refuseByMode(): void {
    const { mode } = this.environment;
    if (this.tool.modes.includes(mode)) return;
    throw new Ended(deniedEnd('mode', `\`${this.tool.name}\` can't be used in ${mode} mode.`));
  }

  /** Rules and people see paths one way: relative to the project, whatever the model wrote. */
  private async resolveSubject(subject: CallSubject): Promise<CallSubject> {
    const paths: string[] = [];
    for (const path of subject.paths) {
      const resolved = await this.options.files.resolve(path);
      paths.push(resolved.relative);
      if (resolved.realRelative !== resolved.relative) paths.push(resolved.realRelative);
    }
    return { ...subject, paths: [...new Set(paths)] };
  }

  /** Prepares, judges and asks until the call may run on exactly what was shown. */
  private async permit(): Promise<Permitted> {
    for (let round = 1; round <= MAX_PREPARATIONS; round += 1) {
      const decision = await this.judge();
      if (decision.verdict === 'deny') throw new Ended(deniedEnd(decision.by, decision.reason));
      const prepared = await this.prepare();
      this.stopIfAborted();
      if (decision.verdict === 'allow') {
        if (decision.grantId !== null) this.options.onGrantUsed?.(decision.grantId);
        return { by: decision.by, prepared };
      }
      const by = await this.ask(decision, prepared, round > 1);
      if (prepared?.isStale === undefined || !(await prepared.isStale())) return { by, prepared };
    }
    throw new AppError('stale', 'The file kept changing while its change waited for approval.', {
      audience: 'model',
      hint: 'Read the file again and redo the change.',
    });
  }

  private async judge(): Promise<PolicyDecision> {
    return await this.options.decide(this.policyInput(this.tool.name, this.subject));
  }

  private policyInput(tool: string, subject: CallSubject): PolicyInput {
    return {
      tool,
      effect: this.tool.effect,
      subject,
      mode: this.environment.mode,
      projectRoot: this.options.projectRoot,
      rules: this.options.rules(this.environment.sessionId),
      flag: this.options.flag,
    };
  }

  private async prepare(): Promise<Prepared | null> {
    return (await this.tool.prepare?.(this.args, this.context)) ?? null;
  }

  private async ask(decision: PolicyDecision, prepared: Prepared | null, again: boolean): Promise<DecidedBy> {
    const digest = this.digest();
    await this.state('awaiting_approval');
    const subject = prepared?.subject ?? {
      kind: 'other' as const,
      summary: this.tool.label(this.args),
      arguments: JSON.stringify(this.args, null, 2),
    };
    const { gate, approvalTimeoutMs: timeoutMs } = this.options;
    const reply = await askForApproval(
      { callId: this.id, tool: this.tool.name, subject, decision, digest, again },
      this.environment,
      {
        gate,
        timeoutMs,
        onGrant: (rule, scope, sessionId) => this.options.onGrant(rule, scope, sessionId),
        now: () => this.now(),
      },
    );
    this.stopIfAborted();
    if (reply.answer === 'deny') throw new Ended(deniedEnd(reply.by, ''));
    // The answer holds for exactly what was shown (sec-C23).
    if (this.digest() !== digest)
      throw new AppError('stale', 'The call changed while it waited for approval.');
    return reply.by;
  }

  private digest(): string {
    return callDigest({
      tool: this.tool.name,
      args: this.args,
      cwd: this.subject.cwd ?? this.options.projectRoot,
      env: { confinement: this.options.confinement, ...this.options.commandEnv?.() },
    });
  }

  /** The journal entry comes first: after a crash a call that may have had an effect is known to have started. */
  private async execute(permitted: Permitted): Promise<CallEnd> {
    this.stopIfAborted();
    const { by } = permitted;
    await this.state('running', { by });
    if (this.tool.effect !== 'write') return finishedEnd(await this.effect(permitted.prepared), by);
    return await this.locks.run(this.subject.paths, async () => {
      this.stopIfAborted();
      return finishedEnd(await this.effectOnCurrent(permitted), by);
    });
  }

  /**
   * A change that nobody was asked about is worked out anew when another call changed the file first (case-E22); one that
   * a person approved is not: they saw something else.
   */
  private async effectOnCurrent({ by, prepared }: Permitted): ReturnType<ToolDefinition['run']> {
    let current = prepared;
    for (let round = 1; ; round += 1) {
      try {
        return await this.effect(current);
      } catch (error) {
        const stale = error instanceof AppError && error.code === 'stale';
        if (!stale || by === 'user' || this.tool.prepare === undefined || round === MAX_PREPARATIONS)
          throw error;
        current = await this.prepare();
      }
    }
  }

  private async effect(prepared: Prepared | null): ReturnType<ToolDefinition['run']> {
    const { signal } = this.environment;
    const running = this.tool.run(this.args, this.context, prepared);
    const stopped = new Promise<never>((_resolve, reject) => {
      const onAbort = (): void => {
        setTimeout(() => {
          reject(new Ended(cancelledEnd()));
        }, ABORT_GRACE_MS).unref();
      };
      signal.addEventListener('abort', onAbort, { once: true });
      const detach = (): void => {
        signal.removeEventListener('abort', onAbort);
      };
      running.then(detach, detach);
    });
    return await Promise.race([running, stopped]);
  }

  /** Whether rules let this tool show a file it came across: its own rules and those on reading. */
  private async permits(path: string): Promise<boolean> {
    if (this.options.rules(this.environment.sessionId).every(({ rule }) => rule.effect === 'allow'))
      return true;
    for (const tool of [this.tool.name, 'read_file']) {
      const decision = await this.options.decide(this.policyInput(tool, { paths: [path] }));
      if (decision.verdict !== 'allow') return false;
    }
    return true;
  }

  private stopIfAborted(): void {
    if (this.environment.signal.aborted) throw new Ended(cancelledEnd());
  }

  private async state(state: CallState, facts: Partial<StateEvent> = {}): Promise<void> {
    await this.environment.emit({
      type: 'call.state',
      callId: this.id,
      tool: this.call.name,
      state,
      ...facts,
    });
  }

  private now(): number {
    return this.options.clock?.() ?? Date.now();
  }
}

function unknownTool(name: string, known: readonly string[]): AppError {
  const shown = name === '' ? 'a tool without a name' : `\`${name.slice(0, 64)}\``;
  return new AppError('bad_argument', `There is no tool ${shown}.`, {
    audience: 'model',
    hint: `Close names: ${closeNames(name, known).join(', ')}.`,
  });
}

function badArguments(name: string, why: string): AppError {
  return new AppError('bad_argument', `The arguments of \`${name}\` can't be used:\n${why}`, {
    audience: 'model',
    hint: 'Correct them and call again.',
  });
}
