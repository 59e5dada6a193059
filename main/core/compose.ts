import { join } from 'node:path';
import type { SessionId } from '../../shared/model/ids';
import { createApprovalGate } from './approval/approval-gate';
import { createPolicy } from './approval/policy';
import { BlobKeeper } from './change/blobs/blob-keeper';
import { BlobStore } from './change/blobs/blob-store';
import { editTexts } from './change/edit-texts';
import { createFileSetJournal } from './change/file-set-journal';
import { recoveredNotices, recoverFileSets } from './change/recover-file-sets';
import { revertEdit } from './change/revert-edit';
import type { EffectsOptions } from './change/baseline/command-effects';
import type { NewChangeSet } from './change/types';
import { createChanges } from './compose-changes';
import { createAgentParts } from './compose-agents';
import { createModels, openBasics, providerConfig, type Basics } from './compose-basics';
import { createSessionParts } from './compose-sessions';
import { createQueue, createTurns } from './compose-turns';
import { buildContexts } from './context/build-contexts';
import { ContextService } from './context/context-service';
import type { Core, CoreOptions } from './core';
import { HeapKeeper } from './process/heap-keeper';
import { createProcessLedger, type ProcessLedger } from './process/ledger';
import { ProjectFinder } from './project/project-finder';
import { ProjectSlot } from './project/project-slot';
import { Asides } from './session/asides';
import { followOthers } from './session/follow-others';
import type { MessageQueue } from './session/message-queue';
import { projectSessions } from './session/project-sessions';
import { QuestionBoard } from './session/question-board';
import { CommandBus } from './window/command-bus';
import { NoticeBoard } from './window/notice-board';
import { watchApprovals } from './window/watch-approvals';
import { WindowRegistry } from './window/window-registry';
import { createProjectCatalog } from './workspace/project-catalog';
import { protection } from './workspace/protected-paths';

type AgentParts = ReturnType<typeof createAgentParts>;

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
  const images = new BlobStore(join(dataDir, 'before'));
  const blobKeeper = new BlobKeeper({
    ...{ blobs: images, store: store.changes, baselines: join(dataDir, 'baselines') },
    limitBytes: () => settings.get('chat.changes.keepMegabytes') * 1024 * 1024,
    onError: (error) => log.warn('former contents could not be tidied', { error: String(error) }),
  });
  const unfinished = join(dataDir, 'unfinished');
  const agentParts: AgentParts = createAgentParts({ ...basics, dataDir, turns: () => turns });
  const { subagents, titles } = agentParts;
  const services = {
    tasks: subagents,
    memory: basics.memory,
    ...{ store, settings, userRules, host, log, gate, questions, processes, images, dataDir },
    recordChange: (set: NewChangeSet) => changes.log.record(set),
    changeLog: () => changes.log,
    lateEvent: (({ sessionId, turnId }, event) => {
      catalog.runtime(sessionId as SessionId).log.append(turnId, [event], []);
    }) satisfies EffectsOptions['late'],
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
  const heap = host.kind === 'cli' ? null : new HeapKeeper();
  const turns = createTurns(options, basics, {
    ...{ models, notices, windows, contexts, heap },
    project: () => slot.current(),
    stopChildren: (id) => void subagents.stopChildren(id),
    nameSession: (id, reason) => titles.turnEnded(id, reason),
    turnEnded: (id, reason) => {
      slot.current()?.effects.turnEnded(id);
      blobKeeper.turnEnded();
      queue.turnEnded(id, reason);
    },
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
    onKnown: (path) => log.info('the project is known by its repository', { path }),
  });
  const changes = createChanges({
    ...{ store, blobs: images, journal: services.fileSets, dataDir, catalog, turns },
    ...{ branches: sessionParts.branches, newId: basics.newId, project: () => slot.current(), processes },
    onError: (error) => log.warn('left-over copies could not be removed', { error: String(error) }),
  });
  watchApprovals(gate, catalog, windows, host, log);
  const { startNotices, reaped } = tidyUp(basics, processes);
  startNotices.push(...recoveredNotices(await recoverFileSets(unfinished)));
  await changes.undo.recover((error) => log.warn('an undo could not be recovered', { error: String(error) }));
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
    changes,
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
      revertEdit(catalog.runtime(sessionId), slot.require().files, images, callId, path, changes),
    editTexts: async (sessionId, callId, path) =>
      editTexts(catalog.runtime(sessionId).viewWithCall(callId), slot.require().files, images, callId, path),
    close: async () => {
      stopFollowing();
      heap?.close();
      asides.stopAll();
      finder.close();
      await sessionParts.indexer.close();
      await titles.close();
      await slot.close();
      await Promise.all([processes.killAll(), reaped, basics.packing.idle(), blobKeeper.close()]);
      await images.idle();
      process.off('exit', killAtExit);
      projects.dispose();
      settings.close();
      store.close();
      log.close();
    },
  };
}
