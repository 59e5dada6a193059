import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import type { SessionId } from '../../shared/model/ids';
import type { TurnEndReason } from '../../shared/model/turn-event';
import { AgentCatalog } from './agent/agent-catalog';
import { agentChoice, refuseWider } from './agent/agent-choice';
import type { Subagents } from './agent/subagents';
import { createApprovalGate } from './approval/approval-gate';
import { buildContexts, type Contexts } from './context/build-contexts';
import { ContextService } from './context/context-service';
import { createPolicy } from './approval/policy';
import { openProjectRules, openRulesFile } from './approval/rules-file';
import type { ApprovalGate } from './approval/types';
import { BeforeImages } from './change/before-images';
import { editTexts } from './change/edit-texts';
import { createFileSetJournal } from './change/file-set-journal';
import { recoveredNotices, recoverFileSets } from './change/recover-file-sets';
import { revertEdit } from './change/revert-edit';
import { createAgentBasics, createAgentParts } from './compose-agents';
import { createSessionParts } from './compose-sessions';
import type { Core, CoreOptions, ProjectSessions } from './core';
import type { HostPort } from './host-port';
import { createLogger, type Logger } from './log/logger';
import { ProviderCatalog } from './model/provider-catalog';
import { ProviderConfig } from './model/provider-config';
import { TOUR_MODEL, TOUR_PROVIDER_ID } from './model/tour-script';
import { createProcessLedger, type ProcessLedger } from './process/ledger';
import type { OpenProject } from './project/open-project';
import { ProjectFinder } from './project/project-finder';
import { ProjectSlot } from './project/project-slot';
import { Asides } from './session/asides';
import { followOthers } from './session/follow-others';
import { RecordingPacker } from './recording/recording-packer';
import { SessionTape } from './recording/session-tape';
import { MessageQueue } from './session/message-queue';
import { QuestionBoard } from './session/question-board';
import { SessionCatalog } from './session/session-catalog';
import { TurnService, type TurnProject } from './session/turn-service';
import { WriterLease } from './session/writer-lease';
import { createSettingsService } from './settings/settings-service';
import { openStore } from './store/open-store';
import type { Store } from './store/types';
import { CommandBus } from './window/command-bus';
import { NoticeBoard } from './window/notice-board';
import { turnNotice } from './window/turn-notice';
import { WindowRegistry } from './window/window-registry';
import { createProjectCatalog } from './workspace/project-catalog';
import { protection } from './workspace/protected-paths';

const ProviderConfigs = z.array(ProviderConfig).catch([]);

function providerConfig(store: Store) {
  return {
    read: () => ProviderConfigs.parse(store.state.get('global', 'providers')),
    write: (list: ProviderConfig[]) => store.state.set('global', 'providers', list),
  };
}

const turnProject = (open: OpenProject | null): TurnProject | null =>
  open && {
    id: open.info.id,
    root: open.files.root,
    runner: open.runner,
    toolSpecs: (mode) => open.toolSpecs(mode),
  };

/** Sessions show that they wait; the host shows its dialog; an unseen session makes a notification, once per approval. */
function watchApprovals(
  gate: ApprovalGate,
  catalog: SessionCatalog,
  windows: WindowRegistry,
  host: HostPort,
  log: Logger,
): void {
  const told = new Set<string>();
  // An approval is asked and answered also where that can't be noted down, as on a full disk.
  const note = (...change: Parameters<SessionCatalog['update']>): void => {
    try {
      catalog.update(...change);
    } catch (error) {
      log.warn('a session could not be marked as waiting or running', { error: String(error) });
    }
  };
  gate.onChange((pending) => {
    host.approvalsChanged?.(pending);
    for (const { id, sessionId, title } of pending) {
      if (told.has(id)) continue;
      told.add(id);
      note(sessionId, { activity: 'waiting', lastFact: title });
      // Who looks at the session that started a subagent is shown its question there.
      const parentId = catalog.find(sessionId)?.parentId ?? sessionId;
      if (!windows.isSeen(sessionId) && !windows.isSeen(parentId))
        host.notify?.({ title, body: 'Lathe waits for your answer.', sessionId });
    }
    for (const id of told) {
      if (!pending.some((approval) => approval.id === id)) told.delete(id);
    }
    for (const summary of catalog.waiting()) {
      if (!pending.some(({ sessionId }) => sessionId === summary.id))
        note(summary.id, { activity: 'running' });
    }
  });
}

/** What everything else stands on: log, store, settings, and the sessions in the store. */
function openBasics({ dataDir, version }: CoreOptions) {
  const log = createLogger({ dir: join(dataDir, 'logs') });
  const store = openStore({ dataDir });
  const userRules = openRulesFile(join(dataDir, 'rules.jsonc'), 'user');
  const agents = new AgentCatalog(join(dataDir, 'agents'));
  const settings = createSettingsService({
    path: join(dataDir, 'settings.jsonc'),
    logger: log,
    otherProblems: (root) => {
      const rules = [userRules, ...(root === null ? [] : [openProjectRules(root)])];
      agents.setProject(root);
      return [...rules.flatMap((file) => file.read().problems), ...agents.state.problems];
    },
  });
    onKnown: (path) => log.info('the project is known by its repository', { path }),
  const lease = new WriterLease(store.state, (error) => {
    log.warn('a session could not be marked as in use or free', { error: String(error) });
  });
  const newId = (): string => randomUUID();
  const catalog = new SessionCatalog(
    store,
    lease,
    newId,
    (error) => log.error('events could not be stored yet', { error: String(error) }),
    () => (settings.get('chat.recording.enabled') ? new SessionTape(version) : undefined),
  );
  const packing = new RecordingPacker(store.recordings, (error) => {
    log.warn('a recording could not be packed', { error: String(error) });
  });
  const agentBasics = createAgentBasics({ dataDir, store, settings, agents, catalog, log });
  return { log, store, settings, userRules, agents, lease, newId, catalog, packing, ...agentBasics };
}
type Basics = ReturnType<typeof openBasics>;
type AgentParts = ReturnType<typeof createAgentParts>;

function createModels({ host, modelOverride }: CoreOptions, { store, settings }: Basics): ProviderCatalog {
  return new ProviderCatalog({
    secrets: host.secrets,
    config: providerConfig(store),
    settings: {
      defaultModel: () => settings.get('chat.model.default'),
      setDefaultModel: async (model) => void (await settings.set('chat.model.default', model)),
      defaultWindow: () => settings.get('chat.context.defaultWindow'),
    },
    learned: store.learnedWindows,
    ...(modelOverride ? { override: modelOverride } : {}),
  });
}

interface TurnParts {
  models: ProviderCatalog;
  notices: NoticeBoard;
  windows: WindowRegistry;
  project: () => OpenProject | null;
  contexts: Contexts;
  /** The next message that waits follows. */
  turnEnded: (sessionId: SessionId, reason: TurnEndReason) => void;
  /** A stopped turn takes its subagents with it. */
  stopChildren: (sessionId: SessionId) => void;
  nameSession: (sessionId: SessionId, reason: TurnEndReason) => void;
}

function createTurns(options: CoreOptions, basics: Basics, parts: TurnParts): TurnService {
  const { log, settings, role, budgets, lease, newId, catalog } = basics;
  const { models, notices, windows, project, contexts } = parts;
  return new TurnService({
    sessions: catalog,
    models,
    lease,
    project: () => turnProject(project()),
    role,
    meter: (id) => budgets.meter(id),
    memory: (projectId) => basics.memory.block(projectId),
    rulesPrompt: () => contexts.book()?.prompt() ?? Promise.resolve(''),
    contexts: contexts.desk,
    secondModel: () => settings.get('chat.context.summaryModel'),
    judge: () => ({
      classify: settings.get('chat.classify.enabled'),
      askModel: settings.get('chat.classify.askModel'),
      todoGate: settings.get('chat.agent.todoGate'),
    }),
    // A model named on the command line is meant for everything.
    routes: () =>
      options.modelOverride
        ? { fast: '', flagship: '' }
        : { fast: settings.get('chat.model.fast'), flagship: settings.get('chat.model.flagship') },
    // A subagent's steps are its own: the command line's cap is the user's turn's.
    maxSteps: ({ parentId }) =>
      (parentId === null ? options.maxSteps : undefined) ?? settings.get('chat.agent.maxRequests'),
    newId,
    onDiskFull: (error) => {
      log.error('the disk is full; the turn waits', { error: error.message });
      notices.post(
        'error',
        'The disk is full',
        'The turn waits and goes on when there is room. Nothing is lost.',
      );
    },
    onEnd: (summary, end) => {
      basics.packing.start(summary.id);
      contexts.desk.flush();
      if (end.reason === 'stopped') parts.stopChildren(summary.id);
      parts.nameSession(summary.id, end.reason);
      if (end.reason !== 'stopped' && summary.parentId === null && !windows.isSeen(summary.id))
        options.host.notify?.(turnNotice(summary, end));
      parts.turnEnded(summary.id, end.reason);
    },
  });
}

function createQueue(
  { store, log, newId, catalog }: Basics,
  turns: TurnService,
  context: ContextService,
): MessageQueue {
  const queue = new MessageQueue({
    state: store.state,
    newId,
    isRunning: (id) => turns.isRunning(id),
    refuseOther: (id) => turns.refuseOther(id),
    facts: (id, mentions) => context.turnFacts(id, mentions),
    start: (request) => turns.start(request),
    onError: (error) => log.warn('a waiting message could not be sent', { error: String(error) }),
  });
  catalog.onChange((change) => {
    if (change.kind === 'removed') queue.forget(change.id);
  });
  return queue;
}

/** Puts right what an earlier process left behind; returns what people should know and what still goes on. */
function tidyUp(
  { store, catalog, log }: Basics,
  processes: ProcessLedger,
): { startNotices: string[]; reaped: Promise<unknown> } {
  const mended = catalog.recover();
  store.branches.dropUnfinished();
  if (mended > 0) log.info('closed turns of a process that died', { sessions: mended });
  const reaped = processes.reapOrphans().catch((error: unknown) => {
    log.warn('left-over processes could not be looked for', { error: String(error) });
  });
  const { notice } = store.opened;
  return { startNotices: notice === null ? [] : [notice], reaped };
}

/**
 * Composes the product without a window; the only place that makes services. Nothing is listening and no project is open
 * when it resolves.
 *
 * @throws AppError `store_newer`, `io_failed`, `disk_full` from the store; `unsupported` when commands must be confined
 *   and this machine can't
 */
export async function createCore(options: CoreOptions): Promise<Core> {
  const { dataDir, host } = options;
  const basics = openBasics(options);
  const { log, store, settings, userRules, agents, catalog } = basics;
  const models = createModels(options, basics);
  // The provider's code loads while the project is being opened; whether a model is set up is told by the first turn.
  if (options.modelOverride) models.resolve(null).catch(() => undefined);
  const [notices, windows, gate] = [new NoticeBoard(), new WindowRegistry(), createApprovalGate()];
  const processes = createProcessLedger(dataDir);
  const killAtExit = (): void => processes.killAllNow();
  process.once('exit', killAtExit);
  const approvalMs = (): number => settings.get('chat.approval.timeoutSeconds') * 1000;
  const questions = new QuestionBoard(approvalMs, options.attended ?? true);
  const tourSource = join(options.assetsDir, 'tour');
  const projects = createProjectCatalog({ store: store.projects, dataDir, tourSource });
  const images = new BeforeImages(join(dataDir, 'before'));
  const unfinished = join(dataDir, 'unfinished');
  const agentParts: AgentParts = createAgentParts({ ...basics, dataDir, turns: () => turns });
  const { subagents, titles } = agentParts;
  const services = {
    tasks: subagents,
    memory: basics.memory,
    ...{ store, settings, userRules, host, log, gate, questions, processes, images, dataDir },
    fileSets: createFileSetJournal(unfinished),
    policy: createPolicy({ protection }),
    flag: options.flag ?? 'dialog',
    confinement: options.confinement ?? 'off',
    terminalEnv: options.loginEnv ?? process.env,
  };
  const slot: ProjectSlot = new ProjectSlot(projects, services, async () => {
    subagents.dropQueue();
    await turns.stopAll();
  });
  const contexts = buildContexts({
    ...{ store, settings, log, dataDir, newId: basics.newId },
    root: () => slot.current()?.files.root ?? null,
    flushFacts: agentParts.flushFacts,
  });
  const turns = createTurns(options, basics, {
    ...{ models, notices, windows, contexts },
    project: () => slot.current(),
    stopChildren: (id) => void subagents.stopChildren(id),
    nameSession: (id, reason) => titles.turnEnded(id, reason),
    turnEnded: (id, reason) => queue.turnEnded(id, reason),
  });
  const asides = new Asides({ turns, lease: basics.lease, newId: basics.newId });
  const context = new ContextService({
    ...{ turns, models, contexts: contexts.desk },
    defaultWindow: () => settings.get('chat.context.defaultWindow'),
    book: () => contexts.book(),
  });
  const queue: MessageQueue = createQueue(basics, turns, context);
  const sessionParts = createSessionParts({
    ...{ core: options, store, catalog, agents, turns, log, lease: basics.lease, newId: basics.newId },
    providerIds: () =>
      providerConfig(store)
        .read()
        .map(({ id }) => id),
  });
  const finder = new ProjectFinder({
    ...{ store: store.projects, projects },
    // Git runs nothing that a repository names; there is no folder yet that is not trusted.
    isTrusted: () => true,
    reopen: (path) => slot.use((known) => known.open(path)),
    onError: (error) => log.warn('the repository could not be looked at', { error: String(error) }),
  });
  watchApprovals(gate, catalog, windows, host, log);
  const { startNotices, reaped } = tidyUp(basics, processes);
  startNotices.push(...recoveredNotices(await recoverFileSets(unfinished)));
  subagents.recover(store.sessions.queued(), (id) => basics.lease.heldByOther(id) !== null);
  const stopFollowing = followOthers({
    catalog,
    changedElsewhere: () => store.changedElsewhere(),
    isLive: (id) => turns.isRunning(id),
    projectId: () => slot.current()?.info.id ?? null,
    onError: (error) => log.warn('other processes could not be followed', { error: String(error) }),
  });
  return {
    ...{
      version: options.version,
      dataDir,
      host,
      log,
      startNotices,
      store,
      settings,
      models,
      agents,
      projects,
      catalog,
    },
    ...{
      turns,
      asides,
      queue,
      context,
      subagents,
      budgets: basics.budgets,
      memory: basics.memory,
      plans: agentParts.plans,
      approvals: gate,
      questions,
      windows,
      notices,
      commands: new CommandBus(),
    },
    ...sessionParts,
    finder,
    sessions: projectSessions(catalog, agents, turns, subagents, () => slot.require()),
    project: () => slot.current(),
    requireProject: () => slot.require(),
    openProject: (path) => slot.use((known) => known.open(path)),
    openTour: () => slot.use((known) => known.openTour()),
    closeProject: () => slot.close(),
    subscribe: (id, listener) =>
      catalog.runtime(id as SessionId).listen((events) => {
        for (const event of events) listener(event);
      }),
    revertEdit: async (sessionId, callId, path) =>
      revertEdit(catalog.runtime(sessionId), slot.require().files, images, callId, path),
    editTexts: async (sessionId, callId, path) =>
      editTexts(catalog.runtime(sessionId).viewWithCall(callId), slot.require().files, images, callId, path),
    close: async () => {
      stopFollowing();
      asides.stopAll();
      finder.close();
      await sessionParts.indexer.close();
      await titles.close();
      await slot.close();
      await Promise.all([processes.killAll(), reaped, basics.packing.idle()]);
      process.off('exit', killAtExit);
      projects.dispose();
      settings.close();
      store.close();
      log.close();
    },
  };
}

function projectSessions(
  catalog: SessionCatalog,
  agents: AgentCatalog,
  turns: TurnService,
  subagents: Subagents,
  project: () => OpenProject,
): ProjectSessions {
  const known = (id: string): SessionId => catalog.get(id as SessionId).id;
  return {
    list: (query = '', children = false) => catalog.list({ projectId: project().info.id, query, children }),
    create: ({ mode, model, agent }) => {
      const { id, path, isTour } = project().info;
      // The tour's own project is played by its script unless the user picks a model there.
      const chosen = model ?? (isTour ? `${TOUR_PROVIDER_ID}/${TOUR_MODEL}` : null);
      const choice = agent ? agentChoice({ agent }, agents) : {};
      return catalog.create({ projectId: id, projectPath: path, mode, model: chosen, ...choice });
    },
    get: (id) => catalog.get(id as SessionId),
    rename: (id, title) => {
      catalog.setTitle(known(id), title, 'user');
      return catalog.get(known(id));
    },
    remove: async (id) => {
      await subagents.stopChildren(known(id));
      await turns.stop(known(id));
      catalog.remove(known(id));
    },
    configure: (id, change) => {
      const choice = agentChoice(change, agents);
      refuseWider(catalog.get(known(id)), choice.mode, catalog);
      return catalog.update(known(id), { ...change, ...choice });
    },
  };
}
