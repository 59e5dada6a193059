import type { TurnEndReason } from '../../../shared/model/turn-event';

/** What the tool `task` asks for. */
export interface StartTask {
  parentId: string;
  /** The call that starts it. */
  callId: string;
  goal: string;
  /** Name of the agent; without it the subagent has few steps. */
  agent?: string;
  /** The subagent may not change anything, whatever its agent could. */
  readOnly: boolean;
  /** Lowers the agent's cap. */
  maxSteps?: number;
}

/** How a subagent stands or ended. */
export interface TaskReport {
  taskId: string;
  /** As people and models read it: the agent's name. */
  agent: string;
  state: 'queued' | 'running' | 'ended' | 'not_started';
  /** Set when it ended. */
  reason?: TurnEndReason | 'interrupted';
  /** Its answer, or what it had written, or why it failed. */
  text: string;
  steps: number;
  maxSteps: number;
  tokens: number;
  /** Millionths of a US dollar; 0 when nothing had a known price. */
  costMicros: number;
}

export interface StartedTask {
  /** Id of the subagent's session. */
  readonly taskId: string;
  readonly agent: string;
  readonly title: string;
  /** Never rejects: a failure is a report. */
  readonly done: Promise<TaskReport>;
  /** Ends it alone, or takes it off the queue. */
  stop(): void;
}

/** Subagents as the tools see them. */
export interface TaskPort {
  /**
   * Creates the subagent's session and starts it, or queues it while too many run.
   *
   * @throws AppError `not_found` for an unknown agent, `mode_forbids` from a subagent
   */
  start(task: StartTask): StartedTask;
  /**
   * The report of a subagent that this session started; waits at most `waitMs` for its end.
   *
   * @throws AppError `not_found` when the id is of no subagent of this session
   */
  collect(parentId: string, taskId: string, waitMs: number, signal: AbortSignal): Promise<TaskReport>;
}
