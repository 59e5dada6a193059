import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { ApprovalAnswer, PendingApproval } from '../../../../shared/model/approval';
import type { Mode } from '../../../../shared/model/mode';
import type { Plan } from '../../../../shared/model/plan';
import type { TodoItem } from '../../../../shared/model/todo';
import type { TurnEventPayload } from '../../../../shared/model/turn-event';
import type { ApprovalGate, PolicyDecision, PolicyInput } from '../../approval/types';
import type { ReplyCall } from '../../model/port';
import { openWorkspaceFiles } from '../../workspace/workspace-files';
import type { WorkspaceFiles } from '../../workspace/types';
import { askUser } from '../builtin/ask-user';
import { attemptCompletion } from '../builtin/attempt-completion';
import { editFile } from '../builtin/edit-file';
import { gitLog } from '../builtin/git-log';
import { glob } from '../builtin/glob';
import { grep } from '../builtin/grep';
import { listDir } from '../builtin/list-dir';
import { readFile as readFileTool } from '../builtin/read-file';
import { todo } from '../builtin/todo';
import { writeFile as writeFileTool } from '../builtin/write-file';
import { createToolRegistry, type ToolRegistry } from '../registry';
import type { ToolRunnerOptions } from '../runner-options';
import { createToolRunner } from '../tool-runner';
import type { CallEnvironment, CallOutcome, ReadLedger, ToolDefinition, ToolRunner } from '../types';

/** All tools that need no processes of their own. */
const TOOLS: readonly ToolDefinition[] = [
  readFileTool,
  listDir,
  glob,
  grep,
  editFile,
  writeFileTool,
  gitLog,
  todo,
  askUser,
  attemptCompletion,
];

export interface BenchOptions {
  /** A folder that is there already, instead of a new one. */
  at?: string;
  files?: Record<string, string | Buffer>;
  mode?: Mode;
  verdict?: (input: PolicyInput) => PolicyDecision['verdict'];
  /** What the person does when asked; default allow_once. */
  answer?: (approval: PendingApproval) => ApprovalAnswer | Promise<ApprovalAnswer>;
  /** What the person says to ask_user. */
  says?: string | null;
  extraTools?: readonly ToolDefinition[];
  runner?: Partial<ToolRunnerOptions>;
  onEvent?: (event: TurnEventPayload) => void | Promise<void>;
}

export interface Bench {
  root: string;
  files: WorkspaceFiles;
  registry: ToolRegistry;
  runner: ToolRunner;
  ledger: ReadLedger;
  events: TurnEventPayload[];
  asked: PendingApproval[];
  environment: CallEnvironment;
  stop: AbortController;
  call(tool: string, args: unknown): Promise<CallOutcome>;
  /** Runs a call that must succeed and returns the model's text. */
  text(tool: string, args: unknown): Promise<string>;
  bytes(name: string): Promise<Buffer>;
  content(name: string): Promise<string>;
  states(): string[];
}

export const decision = (
  verdict: PolicyDecision['verdict'],
  by: PolicyDecision['by'] = 'policy',
): PolicyDecision => ({
  verdict,
  by,
  reason: `the test says ${verdict}`,
  parts: [],
  opaque: false,
  danger: false,
  warnings: [],
  proposedRule: null,
  grantId: null,
});

/** Real tools over a real folder; only the person is played. */
export async function startBench(options: BenchOptions = {}): Promise<Bench> {
  const base = await realpath(await mkdtemp(path.join(tmpdir(), 'tools-')));
  onTestFinished(() => rm(base, { recursive: true, force: true }));
  const root = options.at ?? path.join(base, 'proj');
  if (options.at === undefined) await mkdir(root);
  for (const [name, content] of Object.entries(options.files ?? {})) {
    await mkdir(path.dirname(path.join(root, name)), { recursive: true });
    await writeFile(path.join(root, name), content);
  }
  const files = await openWorkspaceFiles(root);
  const events: TurnEventPayload[] = [];
  const asked: PendingApproval[] = [];
  const registry = createToolRegistry([...TOOLS, ...(options.extraTools ?? [])]);
  const runner = createToolRunner({
    registry,
    decide: (input) => decision(options.verdict?.(input) ?? 'allow'),
    gate: playedGate(asked, options),
    rules: () => [],
    onGrant: () => undefined,
    files,
    projectRoot: root,
    outputDir: path.join(base, 'out'),
    flag: 'dialog',
    confinement: 'off',
    approvalTimeoutMs: 300_000,
    questions: { ask: () => Promise.resolve(options.says ?? null) },
    ...options.runner,
  });
  const stop = new AbortController();
  const environment = environmentFor(events, stop.signal, options);
  const call = (tool: string, args: unknown): Promise<CallOutcome> =>
    runner.run(reply(tool, args), environment);
  return {
    root,
    files,
    registry,
    runner,
    ledger: environment.ledger,
    events,
    asked,
    environment,
    stop,
    call,
    text: async (tool, args) => {
      const outcome = await call(tool, args);
      if (outcome.state !== 'success')
        throw new Error(`${tool} ended as ${outcome.state}: ${outcome.modelText}`);
      return outcome.modelText;
    },
    bytes: (name) => readFile(path.join(root, name)),
    content: (name) => readFile(path.join(root, name), 'utf8'),
    states: () => events.flatMap((event) => (event.type === 'call.state' ? [event.state] : [])),
  };
}

let lastCall = 0;

export function reply(name: string, value: unknown): ReplyCall {
  lastCall += 1;
  return { id: `call-${lastCall}`, name, args: { ok: true, value }, raw: JSON.stringify(value) };
}

function playedGate(asked: PendingApproval[], options: BenchOptions): ApprovalGate {
  return {
    ask: async (approval, signal) => {
      asked.push(approval);
      const answer = await (options.answer?.(approval) ?? 'allow_once');
      return signal.aborted ? { answer: 'deny', by: 'stop' } : { answer, by: 'user' };
    },
    reply: () => false,
    pending: () => [],
    onChange: () => () => undefined,
  };
}

function environmentFor(
  events: TurnEventPayload[],
  signal: AbortSignal,
  options: BenchOptions,
): CallEnvironment {
  const seen = new Map<string, string>();
  let todos: TodoItem[] = [];
  let plans: Plan[] = [];
  return {
    sessionId: 's1',
    turnId: 't1',
    step: 1,
    asker: 'agent, step 1',
    mode: options.mode ?? 'agent',
    signal,
    emit: async (event) => {
      events.push(event);
      await options.onEvent?.(event);
    },
    ledger: { seen: (name) => seen.get(name), note: (name, hash) => void seen.set(name, hash) },
    todos: {
      read: () => todos,
      replace: (items) => {
        todos = items;
        return Promise.resolve();
      },
    },
    plans: {
      read: () => plans,
      write: (plan) => {
        plans = [...plans.filter(({ planId }) => planId !== plan.planId), plan];
        return Promise.resolve();
      },
    },
  };
}
