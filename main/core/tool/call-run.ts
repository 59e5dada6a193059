import { z } from 'zod';
import { AppError, toErrorShape } from '../../../shared/error';
import type { CallId } from '../../../shared/model/ids';
import type { CallState, TurnEventPayload } from '../../../shared/model/turn-event';
import type { PolicyDecision, PolicyInput } from '../approval/types';
import type { ReplyCall } from '../model/port';
import { closeNames, describeIssues, repairArguments } from './argument-repair';
import { callContext, type CallOutput } from './call-context';
import { cancelledEnd, deniedEnd, failedEnd, type CallEnd } from './call-outcome';
import type { ToolRunnerOptions } from './runner-options';
import type {
  CallEnvironment,
  CallOutcome,
  CallSubject,
  ToolContext,
  ToolDefinition,
  ToolResult,
} from './types';

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

/** Thrown inside a call to end it in a given way. */
export class Ended extends Error {
  constructor(readonly end: CallEnd) {
    super(end.modelText);
  }
}

/** One call: its arguments, its subject, its events. What it does is done by the pass it belongs to. */
export class CallRun {
  readonly id: CallId;
  readonly context: ToolContext;
  tool: ToolDefinition;
  args: unknown = {};
  subject: CallSubject = { paths: [] };
  private readonly startedAt: number;
  private readonly output: CallOutput;
  /** A person's time to think is no part of what a call takes. */
  private waitedMs = 0;
  private waitingSince: number | null = null;

  constructor(
    private readonly call: ReplyCall,
    readonly environment: CallEnvironment,
    private readonly options: ToolRunnerOptions,
  ) {
    this.startedAt = this.now();
    this.id = call.id as CallId;
    this.tool = options.registry.get(call.name)?.definition ?? NO_TOOL;
    const made = callContext(call, environment, options, (path) => this.permits(path));
    this.context = made.context;
    this.output = made.output;
  }

  /** Reads the call and finds out what it is about. @returns its end when it can't go on */
  async open(): Promise<CallEnd | null> {
    try {
      await this.state('validating');
      this.stopIfAborted();
      this.readCall();
      this.refuseByMode();
      this.subject = await this.resolveSubject(this.tool.subject(this.args));
      return null;
    } catch (error) {
      return this.endFor(error);
    }
  }

  /** How the call ends after this failure. */
  endFor(error: unknown): CallEnd {
    if (error instanceof Ended) return error.end;
    if (this.environment.signal.aborted) return cancelledEnd();
    return failedEnd(error);
  }

  /** Writes the end down. Never throws. */
  async close(end: CallEnd): Promise<CallOutcome> {
    this.endWait();
    const { label, isReviewed, changed, durable, ...rest } = end;
    const outcome: CallOutcome = { callId: this.call.id, tool: this.call.name, ...rest };
    try {
      await this.output.drained();
      await this.record(end, isReviewed === true);
      await durable;
      if (changed !== undefined) await this.environment.emit(changed);
      for (const diff of end.diffs) {
        await this.environment.emit({ type: 'diff', callId: this.id, diff });
      }
      await this.state(end.state, {
        ...(label === undefined ? {} : { label }),
        ...(end.by === undefined ? {} : { by: end.by }),
        ...(end.error === undefined ? {} : { error: end.error }),
        ...(end.result === undefined ? {} : { result: end.result }),
        durationMs: this.now() - this.startedAt - this.waitedMs,
      });
      return outcome;
    } catch (error) {
      // The effect happened but could not be written down: the model is told, the journal says "result unknown".
      return { ...outcome, error: outcome.error ?? toErrorShape(error) };
    }
  }

  /** The call's end is told already: its effect came after it. */
  async recordLate({ diffs = [], label }: ToolResult): Promise<void> {
    await this.record({ diffs, ...(label === undefined ? {} : { label }) }, false, true);
  }

  /** What the call wrote goes into the change log together with its end. */
  private async record(
    { diffs, label }: Pick<CallEnd, 'diffs' | 'label'>,
    isReviewed: boolean,
    isLate = false,
  ): Promise<void> {
    if (diffs.length === 0 || this.tool.effect !== 'write') return;
    const { sessionId, turnId } = this.environment;
    await this.options.recordCall?.({
      ...{ sessionId, turnId, callId: this.id, diffs, isReviewed, isLate },
      label: label ?? this.tool.label(this.args),
    });
  }

  async judge(): Promise<PolicyDecision> {
    return await this.options.decide(this.policyInput(this.tool.name, this.subject));
  }

  async state(state: CallState, facts: Partial<StateEvent> = {}): Promise<void> {
    this.endWait();
    if (state === 'awaiting_approval') this.waitingSince = this.now();
    await this.environment.emit({
      type: 'call.state',
      callId: this.id,
      tool: this.call.name,
      state,
      ...facts,
    });
  }

  stopIfAborted(): void {
    if (this.environment.signal.aborted) throw new Ended(cancelledEnd());
  }

  private readCall(): void {
    const found = this.options.registry.get(this.call.name);
    if (found === undefined) throw unknownTool(this.call.name, this.options.registry.names());
    if (!this.call.args.ok) throw badArguments(this.call.name, this.call.args.message);
    const parsed = z.safeParse(found.definition.input, repairArguments(this.call.args.value, found.schema));
    if (!parsed.success) throw badArguments(this.call.name, describeIssues(parsed.error));
    this.args = parsed.data;
  }

  private refuseByMode(): void {
    const { mode, refusal } = this.environment;
    if (refusal !== undefined && refusal !== null) throw new Ended(deniedEnd('mode', refusal));
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

  private endWait(): void {
    if (this.waitingSince !== null) this.waitedMs += this.now() - this.waitingSince;
    this.waitingSince = null;
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
