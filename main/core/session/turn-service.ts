import { AppError } from '../../../shared/error';
import type { GivenImage, ImageFacts } from '../../../shared/image/image-facts';
import type { MessageId, SessionId, TurnId } from '../../../shared/model/ids';
import type { Mode } from '../../../shared/model/mode';
import type { SessionSummary } from '../../../shared/model/session';
import type { StepView } from '../../../shared/model/session-view';
import { resolveForAgent } from '../agent/agent-model';
import { agentText } from '../agent/agent-prompt';
import type { SessionRole } from '../agent/session-role';
import { saidWithImages } from '../image/take-images';
import type { ModelDirectory, ModelMessage, ResolvedModel, ModelWish, ToolSpec } from '../model/port';
import { AUTO_MODEL, routeModel, type ModelRoutes } from '../model/route-model';
import type { ToolRunner } from '../tool/types';
import type { ContextDesk } from '../context/context-desk';
import type { CompactionRecord } from '../context/records';
import {
  buildPrefix,
  userMessageText,
  type PromptPart,
  type PromptPrefix,
  type TurnFacts,
} from '../turn/prompt/build-prompt';
import type { NewMessage, TurnEnd } from '../turn/turn-types';
import { LiveTurn } from './live-turn';
import { requireFolder } from './require-folder';
import type { SessionCatalog } from './session-catalog';
import type { SessionRuntime } from './session-runtime';
import { agentName, lastFact } from './session-words';
import { titleFrom, UNTITLED } from './session-title';
import { turnRequest, type JudgeSettings } from './turn-request';
import type { WriterLease } from './writer-lease';

export interface StartTurn {
  sessionId: SessionId;
  text: string;
  mentions?: readonly string[];
  openFiles?: readonly string[];
  /** Pictures as they were given; checked here. */
  images?: readonly GivenImage[];
  /** What is so at this moment, for the model; gathered by the caller, since looking takes a moment. */
  facts?: TurnFacts;
}

/** What a turn needs from the open project; null when none is open. */
export interface TurnProject {
  id: string;
  root: string;
  runner: ToolRunner;
  toolSpecs(mode: Mode): ToolSpec[];
}

export interface TurnServiceOptions {
  sessions: SessionCatalog;
  models: ModelDirectory;
  lease: WriterLease;
  project(): TurnProject | null;
  /** Who works in a session and what it may do, at this moment. */
  role(summary: SessionSummary): SessionRole;
  /** The rules as they are now, as one block of the prompt; '' for none. */
  rulesPrompt(): Promise<string>;
  contexts: ContextDesk;
  /** What the prompt says of earlier sessions in a project. */
  memory(projectId: string): PromptPart[];
  /** Makes the models of a session pay from its budget. */
  meter(sessionId: SessionId): (resolved: ResolvedModel) => ResolvedModel;
  /** `provider/model` that writes a summary when the session's own model fails; '' for none. */
  secondModel(): string;
  /** How requests are classified and completions checked. */
  judge(): JudgeSettings;
  /** Models of the "auto" routing; both '' where it does not apply. */
  routes(): ModelRoutes;
  /** Cap from settings or the command line; the smaller of it and the agent's own counts. */
  maxSteps(summary: SessionSummary): number;
  newId(): string;
  onDiskFull(error: AppError): void;
  onEnd(summary: SessionSummary, end: TurnEnd): void;
}

/** How often a session's state is tried to be written again while the disk is full. */
const MARK_RETRY_MS = 2000;
const CONTINUE =
  'Your last answer was interrupted. Go on from where it stopped; do not repeat what is already there.';

/** Starts, steers and stops turns; at most one per session at a time. */
export class TurnService {
  private readonly live = new Map<string, LiveTurn>();
  /** Sessions that are worked on between their turns. */
  private readonly held = new Set<string>();

  constructor(private readonly options: TurnServiceOptions) {}

  /** @throws AppError `busy` (a turn runs, here or in another process), `no_project`, `not_found`, and for images too large */
  start(request: StartTurn): { turnId: TurnId } {
    const { runtime, summary, project } = this.ready(request.sessionId);
    const { text, parts, facts } = saidWithImages(request.text, request.images);
    const content = userMessageText(text, {
      mentions: request.mentions ?? [],
      openFiles: request.openFiles ?? [],
      ...request.facts,
    });
    return this.claimed(runtime, () => {
      const carried = this.carryPartial(runtime);
      const user = runtime.history.append({ role: 'user', content, ...parts });
      return this.launch(runtime, summary, project, 'message', text, [...carried, user], facts);
    });
  }

  /** Asks the model again (`retry`) or lets it go on from what it had written (`continue`). */
  resume(sessionId: SessionId, how: 'retry' | 'continue'): { turnId: TurnId } {
    const { runtime, summary, project } = this.ready(sessionId);
    if (runtime.history.messages.length === 0) {
      throw new AppError('bad_argument', 'There is nothing to go on from yet.', {
        hint: 'Send a message first.',
      });
    }
    return this.claimed(runtime, () => {
      const messages = how === 'continue' ? this.carryPartial(runtime) : [];
      const last = [...runtime.history.messages].at(-1);
      if (last?.role === 'assistant')
        messages.push(runtime.history.append({ role: 'user', content: CONTINUE }));
      return this.launch(runtime, summary, project, how, '', messages);
    });
  }

  /** @throws AppError `bad_argument` when no turn runs: the message then belongs into `start` */
  interject(sessionId: SessionId, text: string, given: readonly GivenImage[] = []): void {
    const live = this.live.get(sessionId);
    if (!live)
      throw new AppError('bad_argument', 'No turn is running in this session.', {
        hint: 'Send it as a message.',
      });
    live.interject(given.length === 0 ? text : saidWithImages(text, given));
  }

  /**
   * Ends the turn within 200 ms; resolves once the session takes the next message.
   *
   * @throws AppError `busy` when the turn runs in another process
   */
  async stop(sessionId: SessionId): Promise<void> {
    const live = this.live.get(sessionId);
    if (!live) {
      this.options.lease.refuseOther(sessionId);
      return;
    }
    live.stop();
    await live.done;
  }

  /** @throws AppError `busy` when another live process writes this session */
  refuseOther(sessionId: string): void {
    this.options.lease.refuseOther(sessionId);
  }

  isRunning(sessionId: string): boolean {
    return this.live.has(sessionId);
  }

  runningSessions(): string[] {
    return [...this.live.keys()];
  }

  async whenIdle(sessionId: SessionId): Promise<TurnEnd | null> {
    return (await this.live.get(sessionId)?.done) ?? null;
  }

  async stopAll(): Promise<void> {
    await Promise.all([...this.live.keys()].map((id) => this.stop(id as SessionId)));
  }

  /**
   * Holds a session for work between its turns: none starts meanwhile, here or in another process.
   *
   * @throws AppError `busy`, `no_project`, `not_found`
   */
  async between<T>(sessionId: SessionId, work: (runtime: SessionRuntime) => Promise<T>): Promise<T> {
    const { runtime } = this.ready(sessionId);
    const { lease } = this.options;
    lease.take(sessionId);
    this.held.add(sessionId);
    try {
      runtime.catchUp();
      return await work(runtime);
    } finally {
      this.held.delete(sessionId);
      lease.release(sessionId);
    }
  }

  /** What requests of a session are made with, without a turn. @throws AppError `no_project`, `not_found` */
  requestDeps(sessionId: SessionId) {
    const { runtime, project } = this.opened(sessionId);
    return { runtime, project, deps: this.loopDeps(runtime, sessionId, '', project) };
  }

  /** The turn that something between turns is filed under. */
  lastTurnOf(runtime: SessionRuntime): TurnId {
    return runtime.view.items.at(-1)?.turnId ?? (this.options.newId() as TurnId);
  }

  private ready(sessionId: SessionId): {
    runtime: SessionRuntime;
    summary: SessionSummary;
    project: TurnProject;
  } {
    if (this.live.has(sessionId)) {
      throw new AppError('busy', 'This session is still working.', {
        hint: 'Send it as an interjection, or stop it first.',
      });
    }
    if (this.held.has(sessionId)) {
      throw new AppError('busy', 'This session is being summarised, or changes of it are being taken back.', {
        hint: 'Wait until that is done.',
      });
    }
    return this.opened(sessionId);
  }

  private opened(sessionId: SessionId): {
    runtime: SessionRuntime;
    summary: SessionSummary;
    project: TurnProject;
  } {
    const summary = this.options.sessions.get(sessionId);
    const project = this.options.project();
    if (project?.id !== summary.projectId) {
      throw new AppError('no_project', `The project of this session is not open: ${summary.projectPath}`, {
        hint: 'Open that folder, then send the message again.',
      });
    }
    requireFolder(project.root);
    return { runtime: this.options.sessions.runtime(sessionId), summary, project };
  }

  /** The cut answer of a failed turn becomes part of the history, since the user has read it. */
  private carryPartial(runtime: SessionRuntime): NewMessage[] {
    if (runtime.view.lastEnd?.reason !== 'error') return [];
    const step = runtime.view.items.findLast((item): item is StepView => item.kind === 'step');
    if (step?.status !== 'partial' || step.text.trim() === '') return [];
    return [runtime.history.append({ role: 'assistant', content: step.text })];
  }

  /** Holds the session for this process and brings it up to date; of a turn that can't start nothing is left. */
  private claimed<T>(runtime: SessionRuntime, begin: () => T): T {
    const { lease } = this.options;
    lease.take(runtime.id);
    let known: number | null = null;
    try {
      runtime.catchUp();
      known = runtime.history.messages.length;
      return begin();
    } catch (error) {
      if (known !== null) runtime.history.takeBack(known);
      lease.release(runtime.id);
      throw error;
    }
  }

  private launch(
    runtime: SessionRuntime,
    summary: SessionSummary,
    project: TurnProject,
    kind: 'message' | 'retry' | 'continue',
    text: string,
    messages: NewMessage[],
    shown: { images?: ImageFacts[] } = {},
  ): { turnId: TurnId } {
    const { sessions, newId } = this.options;
    const turnId = newId() as TurnId;
    const messageId = (messages.at(-1)?.id ?? newId()) as MessageId;
    const role = this.options.role(summary);
    const request = turnRequest(runtime.view, kind, text, this.options.judge());
    const { mode } = role;
    const agent = agentName(role, summary);
    const said = text === '' && shown.images ? (shown.images[0]?.name ?? 'Image') : text;
    const title = summary.title === UNTITLED && said !== '' ? { title: titleFrom(said) } : {};
    sessions.update(summary.id, { activity: 'running', lastFact: `${agent}: working`, ...title });
    try {
      runtime.log.appendWhole(
        turnId,
        [{ type: 'turn.started', messageId, text, mode, agent, kind, ...shown }],
        messages,
      );
    } catch (error) {
      const { activity, lastFact, title: before } = summary;
      this.markLater(runtime, error, { activity, lastFact, title: before });
      throw error;
    }
    const maxSteps = Math.min(
      role.agent.maxSteps,
      summary.maxSteps ?? Infinity,
      this.options.maxSteps(summary),
    );
    // Another process may have changed it since the last turn here.
    this.options.contexts.of(summary.id).reload();
    const turn = { sessionId: summary.id, turnId, agent, maxSteps, request };
    const live = new LiveTurn(turn, runtime, this.loopDeps(runtime, summary.id, turnId, project), {
      onDiskFull: (error) => this.options.onDiskFull(error),
      onClosing: () => this.free(summary.id),
      onEnd: (end) => this.ended(runtime, summary.id, end),
    });
    this.live.set(summary.id, live);
    // A turn whose very end can't be stored still frees its session.
    live.done.catch((error: unknown) => {
      this.free(summary.id);
      this.markLater(runtime, error, { activity: 'idle', lastFact: 'stopped by you' });
    });
    return { turnId };
  }

  /** Stores what waits and marks the session once the disk has room; other failures are put right at the next start. */
  private markLater(
    runtime: SessionRuntime,
    error: unknown,
    mark: Partial<Pick<SessionSummary, 'activity' | 'lastFact' | 'title'>>,
  ): void {
    if (!(error instanceof AppError) || error.code !== 'disk_full') return;
    const timer = setTimeout(() => {
      // The next turn takes along what waits.
      if (this.live.has(runtime.id)) return;
      try {
        runtime.log.flush();
        this.options.sessions.update(runtime.id, mark);
      } catch (again) {
        this.markLater(runtime, again, mark);
      }
    }, MARK_RETRY_MS);
    timer.unref();
  }

  private loopDeps(runtime: SessionRuntime, id: SessionId, turnId: string, project: TurnProject) {
    const { sessions, models, newId, contexts } = this.options;
    const summary = (): SessionSummary => sessions.get(id);
    const role = (): SessionRole => this.options.role(summary());
    const context = contexts.of(id);
    const paying = this.options.meter(id);
    return {
      history: runtime.history,
      compaction: runtime.compaction,
      context,
      models,
      runner: project.runner,
      ledger: runtime.ledger,
      todos: runtime.todos(turnId),
      plans: runtime.plans(turnId),
      mode: (): Mode => role().mode,
      resolveModel: (wish?: ModelWish) => {
        const { model } = summary();
        const chosen = model === AUTO_MODEL ? null : model;
        const usual = () => resolveForAgent(models, chosen, role().agent);
        const isOpen = chosen === null && role().agent.model === null;
        return (isOpen ? routeModel(models, usual, wish, this.options.routes()) : usual()).then(paying);
      },
      resolveSecondModel: async () => {
        const second = this.options.secondModel();
        return second === '' ? null : paying(await models.resolve(second));
      },
      prefix: (mode: Mode, compaction: CompactionRecord | null): Promise<ModelMessage[]> =>
        this.promptOf(id, mode, compaction).then(({ messages }) => messages),
      toolSpecs: (mode: Mode) => role().scope.narrow(project.toolSpecs(mode)),
      refusal: (tool: string) => role().scope.refusal(tool),
      newId,
      now: () => performance.now(),
    };
  }

  /** The prompt before the history; built once per mode, agent and full compaction, so that requests share their prefix. */
  promptOf(sessionId: SessionId, mode: Mode, compaction: CompactionRecord | null): Promise<PromptPrefix> {
    const { runtime, summary, project } = this.opened(sessionId);
    const { agent, colleagues } = this.options.role(summary);
    const terse = compaction?.tier === 'full';
    const key = [mode, agent.name, terse ? compaction.id : ''].join(' ');
    let prefix = runtime.prefixes.get(key);
    prefix ??= this.options.rulesPrompt().then((rules) =>
      buildPrefix({
        ...{ projectRoot: project.root, mode, terse, rules, extra: this.options.memory(summary.projectId) },
        agentText: agentText(agent, summary.parentId !== null, colleagues),
      }),
    );
    runtime.prefixes.set(key, prefix);
    return prefix;
  }

  private ended(runtime: SessionRuntime, id: SessionId, end: TurnEnd): void {
    runtime.saveView();
    // Whoever heard of the end may have started the next turn already; its state then stands.
    if (this.live.has(id)) return;
    const summary = this.options.sessions.update(id, {
      activity: end.reason === 'error' ? 'failed' : 'idle',
      lastFact: lastFact(end),
    });
    this.options.onEnd(summary, end);
  }

  private free(id: string): void {
    this.live.delete(id);
    this.options.lease.release(id);
  }
}
