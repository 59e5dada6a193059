import type { z } from 'zod';
import type { ApprovalSubject, DecidedBy } from '../../../shared/model/approval';
import type { FileDiff } from '../../../shared/model/diff';
import type { Mode } from '../../../shared/model/mode';
import type { Plan } from '../../../shared/model/plan';
import type { TodoItem } from '../../../shared/model/todo';
import type { CallResult, CallState, TurnEventPayload } from '../../../shared/model/turn-event';
import type { ErrorShape } from '../../../shared/error';
import type { ImagePart, ReplyCall } from '../model/port';
import type { WorkspaceFiles } from '../workspace/types';
import type { Schema } from '../../../shared/schema';

/** What a call does to the world; policy and modes go by it. */
export type ToolEffect = 'read' | 'write' | 'execute' | 'interact';

/** What a call is about, for rules: the tool's name is the action, each resource is matched on its own. */
export interface CallSubject {
  /** Workspace-relative paths that are read or written. */
  paths: string[];
  /** The command line, for run_command. */
  command?: string;
  /** Absolute folder a command runs in. */
  cwd?: string;
}

/** The todo list of one session. */
export interface TodoPort {
  read(): TodoItem[];
  /** Replaces the list; the caller has checked it. Publishes `todo.changed`. */
  replace(items: TodoItem[]): Promise<void>;
}

/** The plans of one session. */
export interface PlanPort {
  read(): Plan[];
  /** Adds or replaces the plan with this id; the caller has checked it. Publishes `plan.changed`. */
  write(plan: Plan): Promise<void>;
}

/** Which content of each file the model has seen in this session: path → SHA-256 of the bytes. */
export interface ReadLedger {
  seen(path: string): string | undefined;
  note(path: string, hash: string): void;
}

/** The world of one call. Tools import nothing that acts; everything comes through here. */
export interface ToolContext {
  readonly sessionId: string;
  readonly turnId: string;
  readonly callId: string;
  readonly projectRoot: string;
  /** LATHE_HOME sub-folder for whole outputs of cut commands. */
  readonly outputDir: string;
  readonly signal: AbortSignal;
  readonly files: WorkspaceFiles;
  readonly ledger: ReadLedger;
  readonly todos: TodoPort;
  readonly plans: PlanPort;
  /** Whether run_command children must be confined ('required' | 'off'). */
  readonly confinement: 'required' | 'off';
  /**
   * Whether rules let this tool show a file's contents; for tools that meet files nobody named (grep). Absent = everything.
   * Takes a workspace-relative path.
   */
  permits?(path: string): Promise<boolean>;
  /** Whether an editor holds unsaved text of the file at this workspace path (case-D11). Absent = never. */
  isUnsaved?(path: string): boolean;
  /** Whether the model that called takes images; null or absent: not known. */
  readonly sees?: boolean | null;
  /** Asks the user and waits; null when nobody answered or the turn stopped. */
  ask(question: string, options: string[]): Promise<string | null>;
  /** Says which session the subagent has that this call started. */
  subagent(child: { sessionId: string; agent: string; title: string; background: boolean }): Promise<void>;
  /** Streamed output of a running call. */
  output(stream: 'stdout' | 'stderr', text: string): void;
}

/** A picture that a tool read, under the name it was asked for. */
export type ReadImage = ImagePart & { name?: string };

export interface ToolResult {
  /** For the model; capped by the tool's own strategy (H13). */
  text: string;
  diffs?: FileDiff[];
  /** A better label now that the outcome is known. */
  label?: string;
  exitCode?: number | null;
  cutChars?: number;
  fullOutputPath?: string;
  /** Follow behind the results of the reply; only for a model that sees. */
  images?: ReadImage[];
  /** What a command did to files. */
  changed?: Extract<TurnEventPayload, { type: 'files.changed' }>;
  /** The call's end is written down once this has settled; for what reaches the disk meanwhile. */
  durable?: Promise<void>;
  /** True when the call did what it was asked but the outcome is a failure for the feed (missing file …). */
  isError?: boolean;
}

/** What a mutating tool would do, worked out before anybody is asked. Bound to file hashes: see `isStale`. */
export interface Prepared {
  subject: ApprovalSubject;
  /** True when a file the preview was made from has other bytes now (sec-B15). */
  isStale?: () => Promise<boolean>;
  /** Why a person must be asked even where rules allow the call; absent when they need not be. */
  mustAsk?: string;
  /**
   * The call is permitted: begins what changes nothing yet, while its start is being journalled. Resolves once the disk is
   * at work; never rejects.
   */
  begin?: () => Promise<void>;
  /** Takes back what `begin` began, unless the call was carried out. Called in any case. */
  abandon?: () => void;
}

/** One plan for several calls of one reply on the same file (H10). */
export interface JointPlan extends Prepared {
  /** Per call in order: why it can't be part of the change, or null. */
  failures: readonly unknown[];
}

/** How calls of one reply about the same paths are worked out, shown and carried out as one. */
export interface JointCalls<A> {
  /** Plans the calls in order, each on the result of those before it. No side effect. */
  prepare(calls: readonly [A, ...A[]], context: ToolContext): Promise<JointPlan>;
  /** Carries the plan out at once. Per call its result, null for one that the plan leaves out. */
  run(plan: JointPlan, context: ToolContext): Promise<(ToolResult | null)[]>;
}

export interface ToolDefinition<I extends Schema = Schema, P extends Prepared = Prepared> {
  readonly name: string;
  readonly effect: ToolEffect;
  /** Text for the model. Names its limits truly. */
  readonly describe: string;
  readonly input: I;
  /** Modes in which the tool is offered; everywhere else it is refused at dispatch (P5). */
  readonly modes: readonly Mode[];
  subject(args: z.output<I>): CallSubject;
  /** One line for the feed before the outcome is known (H17). */
  label(args: z.output<I>): string;
  /** Works out effect and preview without any side effect. Failures here go to the model without asking anybody. */
  prepare?(args: z.output<I>, context: ToolContext): Promise<P>;
  run(args: z.output<I>, context: ToolContext, prepared: P | null): Promise<ToolResult>;
  /** Calls next to each other of tools with this run at the same time, each on its own. */
  readonly runsBeside?: boolean;
  /** Left out by tools whose calls always run one by one. */
  readonly joint?: JointCalls<z.output<I>>;
}

/** How one call ended, for history and for the guards. */
export interface CallOutcome {
  callId: string;
  tool: string;
  state: Extract<CallState, 'success' | 'error' | 'denied' | 'cancelled'>;
  by?: DecidedBy;
  /** What goes back to the model as the tool message. Never empty. */
  modelText: string;
  result?: CallResult;
  error?: ErrorShape;
  diffs: FileDiff[];
  images?: ReadImage[];
}

/** Stores and publishes one event; resolves once it is durable. */
export type EmitEvent = (payload: TurnEventPayload) => Promise<void>;

/** The turn's side of running calls. */
export interface CallEnvironment {
  readonly sessionId: string;
  readonly turnId: string;
  readonly step: number;
  readonly asker: string;
  readonly mode: Mode;
  readonly signal: AbortSignal;
  readonly emit: EmitEvent;
  readonly ledger: ReadLedger;
  readonly todos: TodoPort;
  readonly plans: PlanPort;
  /** Whether the model of this step takes images; null or absent: not known. */
  readonly sees?: boolean | null;
  /** Why the turn's agent does not have this tool; absent or null when it has. */
  readonly refusal?: string | null;
}

/** parse → mode → policy → (ask) → journal "running" → execute → cap → record. One object per project. */
export interface ToolRunner {
  /** Effect of a tool by name; `null` when there is no such tool. Drives parallel or serial dispatch. */
  effectOf(tool: string): ToolEffect | null;
  /** Whether calls of this tool that stand next to each other run at the same time. */
  runsBeside(tool: string): boolean;
  /** Label for the feed from unchecked arguments; never throws. */
  labelOf(tool: string, args: unknown): string;
  /**
   * Runs one call to its end; emits `call.state`, `call.output`, `diff`, `approval.*`, `question.*`. Never throws: every
   * failure is an outcome. `call.requested` was already emitted by the loop.
   */
  run(call: ReplyCall, environment: CallEnvironment): Promise<CallOutcome>;
  /** Calls next to each other with the same key may run as one; null for a call that runs alone. */
  joinKey(call: ReplyCall): Promise<string | null>;
  /** As `run`, for calls with the same join key: one approval, one effect, an outcome for each in order. */
  runTogether(calls: readonly { call: ReplyCall; environment: CallEnvironment }[]): Promise<CallOutcome[]>;
}
