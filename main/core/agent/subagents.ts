import { AppError, toErrorShape } from '../../../shared/error';
import type { CallId, SessionId } from '../../../shared/model/ids';
import type { SessionSummary } from '../../../shared/model/session';
import type { TurnEvent } from '../../../shared/model/turn-event';
import { STEP_CAPS } from '../limits';
import type { Logger } from '../log/logger';
import { titleFrom, type SessionCatalog } from '../session/session-catalog';
import type { TurnService } from '../session/turn-service';
import { QUEUED_FACT } from '../store/session-store';
import type { TurnEnd } from '../turn/turn-types';
import type { Agent } from './agent';
import type { AgentCatalog } from './agent-catalog';
import type { SessionRole } from './session-role';
import type { StartedTask, StartTask, TaskPort, TaskReport } from './task-port';
import { endReport, storedReport } from './task-report';

export interface SubagentOptions {
  sessions: SessionCatalog;
  /** Subagents are sessions whose turns the one turn service runs. */
  turns: () => TurnService;
  agents: AgentCatalog;
  role(summary: SessionSummary): SessionRole;
  /** How many run at the same time, over all sessions; the rest waits. */
  maxParallel(): number;
  log: Logger;
}

const NEVER_STARTED = 'never started';

interface Task {
  id: SessionId;
  parentId: SessionId;
  agent: Agent;
  goal: string;
  state: 'queued' | 'running';
  done: Promise<TaskReport>;
  settle(report: TaskReport): void;
}

/** Starts, queues, stops and reports subagents. Each is an ordinary session with a parent. */
export class Subagents implements TaskPort {
  private readonly tasks = new Map<SessionId, Task>();

  constructor(private readonly options: SubagentOptions) {}

  start(request: StartTask): StartedTask {
    const { sessions, agents, role } = this.options;
    const parent = sessions.get(request.parentId as SessionId);
    if (parent.parentId !== null) {
      throw new AppError('mode_forbids', 'A subagent can’t start subagents.', { audience: 'model' });
    }
    const agent = agents.require(request.agent ?? 'general');
    const reads = request.readOnly || agent.mode !== 'agent' || role(parent).mode !== 'agent';
    const cap = request.agent === undefined ? STEP_CAPS.unnamed : agent.maxSteps;
    const child = sessions.create({
      projectId: parent.projectId,
      projectPath: parent.projectPath,
      mode: reads ? 'ask' : 'agent',
      // The agent's own model counts unless it has none.
      model: agent.model === null ? parent.model : null,
      agent: agent.name,
      title: titleFrom(request.goal),
      parentId: parent.id,
      parentCallId: request.callId as CallId,
      maxSteps: Math.min(cap, request.maxSteps ?? cap),
    });
    const task = this.queue(child, parent.id, agent, request.goal);
    this.startNext();
    return {
      taskId: child.id,
      agent: agent.title,
      title: child.title,
      done: task.done,
      stop: () => this.stop(child.id),
    };
  }

  async collect(parentId: string, taskId: string, waitMs: number, signal: AbortSignal): Promise<TaskReport> {
    const child = this.childOf(parentId, taskId);
    const task = this.tasks.get(child.id);
    if (!task) return this.stored(child);
    const ended = await firstOf(task.done, waitMs, signal);
    if (ended) return ended;
    return task.state === 'queued' ? { ...this.stored(child), state: 'queued' } : this.stored(child);
  }

  /** Ends one subagent alone, or takes it off the queue. */
  stop(id: SessionId): void {
    this.stopQueued(id);
    if (!this.tasks.has(id)) return;
    this.options
      .turns()
      .stop(id)
      .catch((error: unknown) => this.warn(error));
  }

  /** Takes one off the queue; does nothing when it is not queued. */
  stopQueued(id: SessionId): void {
    const task = this.tasks.get(id);
    if (task?.state === 'queued') this.finish(task, null);
  }

  /** Ends all subagents of a session; resolves once they have ended. */
  async stopChildren(parentId: SessionId): Promise<void> {
    const children = [...this.tasks.values()].filter((task) => task.parentId === parentId);
    // Queued ones first, so that none of them takes a place that comes free.
    for (const task of children.filter(({ state }) => state === 'queued')) this.finish(task, null);
    for (const { id } of children) this.stop(id);
    await Promise.all(children.map(({ done }) => done));
  }

  /** Marks those that waited in a process that died; the parents of others are in use elsewhere. */
  recover(queued: readonly SessionSummary[], isHeld: (sessionId: string) => boolean): void {
    for (const { id, parentId } of queued) {
      if (parentId === null || isHeld(parentId)) continue;
      this.quietly(() => this.options.sessions.update(id, { lastFact: NEVER_STARTED }));
    }
  }

  /** Takes everything off the queue: the project is being closed, and its turns are being stopped. */
  dropQueue(): void {
    for (const task of [...this.tasks.values()]) if (task.state === 'queued') this.finish(task, null);
  }

  private queue(child: SessionSummary, parentId: SessionId, agent: Agent, goal: string): Task {
    let settle: (report: TaskReport) => void = () => undefined;
    const done = new Promise<TaskReport>((resolve) => {
      settle = resolve;
    });
    const task: Task = { id: child.id, parentId, agent, goal, state: 'queued', done, settle };
    this.tasks.set(child.id, task);
    return task;
  }

  private startNext(): void {
    for (const task of this.tasks.values()) {
      const running = [...this.tasks.values()].filter(({ state }) => state === 'running').length;
      if (running >= this.options.maxParallel()) return this.markQueued();
      if (task.state === 'queued') this.run(task);
    }
  }

  /** Lists say what a session without a turn is waiting for. */
  private markQueued(): void {
    for (const { id, state } of this.tasks.values()) {
      if (state === 'queued') this.quietly(() => this.options.sessions.update(id, { lastFact: QUEUED_FACT }));
    }
  }

  private run(task: Task): void {
    const { sessions, turns } = this.options;
    task.state = 'running';
    let unfollow = (): void => undefined;
    try {
      unfollow = sessions.runtime(task.id).listen((events) => this.follow(task.id, events));
      turns().start({ sessionId: task.id, text: task.goal });
    } catch (error) {
      unfollow();
      this.finish(task, { reason: 'error', steps: 0, text: '', error: toErrorShape(error) });
      return;
    }
    turns()
      .whenIdle(task.id)
      .catch((error: unknown): TurnEnd => ({
        reason: 'error',
        steps: 0,
        text: '',
        error: toErrorShape(error),
      }))
      .then((end) => {
        unfollow();
        this.finish(task, end);
      })
      .catch((error: unknown) => this.warn(error));
  }

  /** Keeps the line that lists and the parent's chip show in step with the subagent. */
  private follow(id: SessionId, events: readonly TurnEvent[]): void {
    const step = events.findLast((event) => event.type === 'step.started');
    if (step?.type === 'step.started') {
      const lastFact = `step ${step.step} of at most ${step.maxSteps}`;
      this.quietly(() => this.options.sessions.update(id, { lastFact }));
    } else if (events.some((event) => event.type === 'usage')) {
      this.quietly(() =>
        this.options.sessions.announce({ kind: 'updated', summary: this.options.sessions.get(id) }),
      );
    }
  }

  /** @param end null for one that never started */
  private finish(task: Task, end: TurnEnd | null): void {
    if (!this.tasks.delete(task.id)) return;
    task.settle(this.report(task, end));
    this.startNext();
  }

  private report(task: Task, end: TurnEnd | null): TaskReport {
    const { sessions } = this.options;
    try {
      if (end === null) sessions.update(task.id, { lastFact: NEVER_STARTED });
      const child = sessions.get(task.id);
      const { view } = sessions.runtime(task.id);
      return end === null
        ? storedReport(child, task.agent.title, view)
        : endReport(child, task.agent.title, view, end);
    } catch (error) {
      // Deleted meanwhile, or the store is full: the parent is told all the same.
      const text = toErrorShape(error).message;
      const reason = end?.reason ?? 'error';
      return {
        ...{ taskId: task.id, agent: task.agent.title, state: 'ended', reason, text },
        ...{ steps: end?.steps ?? 0, maxSteps: 0, tokens: 0, costMicros: 0 },
      };
    }
  }

  private childOf(parentId: string, taskId: string): SessionSummary {
    const child = this.options.sessions.find(taskId as SessionId);
    if (child?.parentId === parentId) return child;
    throw new AppError(
      'not_found',
      `There is no subagent with the id ${taskId.slice(0, 60)} in this session.`,
      {
        audience: 'model',
        hint: 'Use the task_id that task gave.',
      },
    );
  }

  private stored(child: SessionSummary): TaskReport {
    const { sessions, agents } = this.options;
    return storedReport(child, agents.of(child).title, sessions.runtime(child.id).view);
  }

  private quietly(work: () => unknown): void {
    try {
      work();
    } catch (error) {
      this.warn(error);
    }
  }

  private warn(error: unknown): void {
    this.options.log.warn('a subagent could not be marked or stopped', { error: String(error) });
  }
}

/** The value, or null when the time is over or the signal fires first. */
function firstOf<T>(value: Promise<T>, waitMs: number, signal: AbortSignal): Promise<T | null> {
  return new Promise((resolve) => {
    const settle = (result: T | null): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      resolve(result);
    };
    const stop = (): void => settle(null);
    const timer = setTimeout(stop, waitMs);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    value.then(settle, stop);
  });
}
