import { join } from 'node:path';
import { createApprovalGate } from './approval/approval-gate';
import { createAgentParts, type AgentParts } from './compose-agents';
import { createModels, openBasics, type Basics } from './compose-basics';
import { createChanges } from './compose-changes';
import { closeCore } from './compose-close';
import { createContents } from './compose-contents';
import { coreFace, type CoreParts } from './compose-face';
import { createProjectFinder, createProjectSlot } from './compose-project';
import { recover } from './compose-recovery';
import { createSessionParts } from './compose-sessions';
import { createTurnServices, type TurnServices } from './compose-turns';
import type { Core, CoreOptions } from './core';
import { createProcessLedger } from './process/ledger';
import type { ProjectSlot } from './project/project-slot';
import { followOthers } from './session/follow-others';
import { QuestionBoard } from './session/question-board';
import { NoticeBoard } from './window/notice-board';
import { watchApprovals } from './window/watch-approvals';
import { WindowRegistry } from './window/window-registry';
import { createProjectCatalog } from './workspace/project-catalog';

/** Shows what other processes on the same store do. @returns ends it */
const followOtherProcesses = ({ catalog, store, log }: Basics, { turns }: TurnServices, slot: ProjectSlot) =>
  followOthers({
    catalog,
    changedElsewhere: () => store.changedElsewhere(),
    isLive: (id) => turns.isRunning(id),
    projectId: () => slot.current()?.info.id ?? null,
    onError: (error) => log.warn('other processes could not be followed', { error: String(error) }),
  });

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
  const { log, store, settings, agents, catalog, lease, newId } = basics;
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
  const contents = createContents(dataDir, basics);
  const agentParts: AgentParts = createAgentParts({ ...basics, dataDir, turns: () => turnServices.turns });
  const { subagents } = agentParts;
  const slot: ProjectSlot = createProjectSlot(options, basics, {
    ...{ projects, contents, processes, gate, questions, subagents },
    turns: () => turnServices.turns,
    changes: () => changes,
  });
  const turnServices: TurnServices = createTurnServices(options, basics, {
    ...{ models, notices, windows, slot, keeper: contents.keeper, agentParts },
  });
  const sessionParts = createSessionParts({
    ...{ core: options, store, catalog, agents, turns: turnServices.turns, lease, newId },
    indexer: basics.indexer,
  });
  const finder = createProjectFinder(basics, projects, slot);
  const changes = createChanges({
    ...{ store, blobs: contents.images, journal: contents.journal, dataDir, catalog, newId, processes },
    ...{ turns: turnServices.turns, branches: sessionParts.branches, project: () => slot.current() },
    onError: (error) => log.warn('left-over copies could not be removed', { error: String(error) }),
  });
  watchApprovals(gate, catalog, windows, host, log);
  const { startNotices, reaped } = await recover(basics, {
    ...{ processes, unfinished: contents.unfinished, changes, subagents },
  });
  const stopFollowing = followOtherProcesses(basics, turnServices, slot);
  const parts: CoreParts = {
    ...{ options, basics, models, projects, slot, finder, contents, changes },
    ...{ gate, questions, windows, notices },
    ...{ agentParts, turnServices, sessionParts, startNotices },
  };
  return {
    ...coreFace(parts),
    close: () => closeCore(parts, { processes, reaped, stopFollowing, killAtExit }),
  };
}
