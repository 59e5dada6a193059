import { dirname, join } from 'node:path';
import type { SessionId } from '../../shared/model/ids';
import type { TurnEndReason } from '../../shared/model/turn-event';
import type { BlobKeeper } from './change/blobs/blob-keeper';
import type { AgentParts } from './compose-agents';
import type { Basics } from './compose-basics';
import { buildContexts, type Contexts } from './context/build-contexts';
import { ContextService } from './context/context-service';
import type { CoreOptions } from './core';
import type { ProviderCatalog } from './model/provider-catalog';
import { HeapKeeper } from './process/heap-keeper';
import type { OpenProject } from './project/open-project';
import type { ProjectSlot } from './project/project-slot';
import { Asides } from './session/asides';
import { MessageQueue } from './session/message-queue';
import { QueuedImages } from './session/queued-images';
import { TurnService, type TurnProject } from './session/turn-service';
import type { NoticeBoard } from './window/notice-board';
import { turnNotice } from './window/turn-notice';
import type { WindowRegistry } from './window/window-registry';

const turnProject = (open: OpenProject | null): TurnProject | null =>
  open && {
    id: open.info.id,
    root: open.files.root,
    runner: open.runner,
    toolSpecs: (mode) => open.toolSpecs(mode),
  };

interface TurnParts {
  models: ProviderCatalog;
  notices: NoticeBoard;
  windows: WindowRegistry;
  project: () => OpenProject | null;
  contexts: Contexts;
  /** Keeps the memory of a host that runs for days small; null for a single command line. */
  heap: HeapKeeper | null;
  /** The next message that waits follows. */
  turnEnded: (sessionId: SessionId, reason: TurnEndReason) => void;
  /** A stopped turn takes its subagents with it. */
  stopChildren: (sessionId: SessionId) => void;
  nameSession: (sessionId: SessionId, reason: TurnEndReason) => void;
}

/** Turns over everything they stand on. */
function createTurns(options: CoreOptions, basics: Basics, parts: TurnParts): TurnService {
  const { log, settings, role, budgets, lease, newId, catalog } = basics;
  const { models, notices, windows, project, contexts, heap } = parts;
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
      basics.indexer.indexNew();
      contexts.desk.flush();
      heap?.turnEnded();
      if (end.reason === 'stopped') parts.stopChildren(summary.id);
      parts.nameSession(summary.id, end.reason);
      if (end.reason !== 'stopped' && summary.parentId === null && !windows.isSeen(summary.id))
        options.host.notify?.(turnNotice(summary, end));
      parts.turnEnded(summary.id, end.reason);
    },
  });
}

/** Messages that wait for a turn's end. */
function createQueue(
  { store, log, newId, catalog }: Basics,
  turns: TurnService,
  context: ContextService,
): MessageQueue {
  const images = new QueuedImages(join(dirname(store.path), 'queued-images'));
  images.tidy();
  const queue = new MessageQueue({
    state: store.state,
    images,
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

/** What turns stand on besides the basics. */
export interface TurnGround {
  models: ProviderCatalog;
  notices: NoticeBoard;
  windows: WindowRegistry;
  slot: ProjectSlot;
  keeper: BlobKeeper;
  agentParts: AgentParts;
}

/** Turns and what people do beside and between them. */
export interface TurnServices {
  turns: TurnService;
  asides: Asides;
  queue: MessageQueue;
  context: ContextService;
  heap: HeapKeeper | null;
}

/** Turns, side questions, contexts and the messages that wait. */
export function createTurnServices(
  options: CoreOptions,
  basics: Basics,
  { models, notices, windows, slot, keeper, agentParts }: TurnGround,
): TurnServices {
  const { store, settings, log, newId, lease } = basics;
  const { subagents, titles, flushFacts } = agentParts;
  const contexts = buildContexts({
    ...{ store, settings, log, dataDir: options.dataDir, newId, flushFacts },
    root: () => slot.current()?.files.root ?? null,
  });
  const heap = options.host.kind === 'cli' ? null : new HeapKeeper();
  const turns = createTurns(options, basics, {
    ...{ models, notices, windows, contexts, heap },
    project: () => slot.current(),
    stopChildren: (id) => void subagents.stopChildren(id),
    nameSession: (id, reason) => titles.turnEnded(id, reason),
    turnEnded: (id, reason) => {
      slot.current()?.effects.turnEnded(id);
      keeper.turnEnded();
      queue.turnEnded(id, reason);
    },
  });
  const asides = new Asides({ turns, lease, newId });
  const context = new ContextService({
    ...{ turns, models, contexts: contexts.desk },
    defaultWindow: () => settings.get('chat.context.defaultWindow'),
    book: () => contexts.book(),
  });
  const queue: MessageQueue = createQueue(basics, turns, context);
  return { turns, asides, queue, context, heap };
}
