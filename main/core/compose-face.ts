import type { SessionId } from '../../shared/model/ids';
import { editTexts } from './change/edit-texts';
import { revertEdit } from './change/revert-edit';
import type { ChangeServices } from './change/types';
import type { AgentParts } from './compose-agents';
import type { Basics } from './compose-basics';
import type { Contents } from './compose-contents';
import type { SessionParts } from './compose-sessions';
import type { TurnServices } from './compose-turns';
import type { Core, CoreOptions } from './core';
import type { ApprovalGate } from './approval/types';
import type { ProviderCatalog } from './model/provider-catalog';
import type { ProjectFinder } from './project/project-finder';
import type { ProjectSlot } from './project/project-slot';
import { projectSessions } from './session/project-sessions';
import type { QuestionBoard } from './session/question-board';
import { CommandBus } from './window/command-bus';
import type { NoticeBoard } from './window/notice-board';
import type { WindowRegistry } from './window/window-registry';
import type { ProjectCatalog } from './workspace/project-catalog';

/** Everything that was composed. */
export interface CoreParts {
  options: CoreOptions;
  basics: Basics;
  models: ProviderCatalog;
  projects: ProjectCatalog;
  slot: ProjectSlot;
  finder: ProjectFinder;
  contents: Contents;
  changes: ChangeServices;
  gate: ApprovalGate;
  questions: QuestionBoard;
  windows: WindowRegistry;
  notices: NoticeBoard;
  agentParts: AgentParts;
  turnServices: TurnServices;
  sessionParts: SessionParts;
  startNotices: string[];
}

type ProjectActions = Pick<
  Core,
  'project' | 'requireProject' | 'openProject' | 'confined' | 'openTour' | 'closeProject'
>;
type SessionActions = Pick<Core, 'sessions' | 'subscribe' | 'revertEdit' | 'editTexts'>;

const projectActions = (slot: ProjectSlot): ProjectActions => ({
  project: () => slot.current(),
  requireProject: () => slot.require(),
  openProject: (path) => slot.use((known) => known.open(path)),
  confined: () => slot.confined(),
  openTour: () => slot.use((known) => known.openTour()),
  closeProject: () => slot.close(),
});

function sessionActions(parts: CoreParts): SessionActions {
  const { slot, changes, contents, turnServices, agentParts } = parts;
  const { catalog, agents } = parts.basics;
  const { images } = contents;
  return {
    sessions: projectSessions(catalog, agents, turnServices.turns, agentParts.subagents, () =>
      slot.require(),
    ),
    subscribe: (id, listener) =>
      catalog.runtime(id as SessionId).listen((events) => {
        for (const event of events) listener(event);
      }),
    revertEdit: async (sessionId, callId, path) =>
      revertEdit(catalog.runtime(sessionId), slot.require().files, images, callId, path, changes),
    editTexts: async (sessionId, callId, path) =>
      editTexts(catalog.runtime(sessionId).viewWithCall(callId), slot.require().files, images, callId, path),
  };
}

/** The parts under the names by which hosts know them. */
export function coreFace(parts: CoreParts): Omit<Core, 'close'> {
  const { models, projects, finder, changes, gate, questions, windows, notices, startNotices } = parts;
  const { version, dataDir, host } = parts.options;
  const { log, store, settings, agents, catalog, budgets, memory } = parts.basics;
  const { turns, asides, queue, context } = parts.turnServices;
  const { subagents, plans } = parts.agentParts;
  return {
    ...{ version, dataDir, host, log, startNotices, store, settings, models, agents, projects, catalog },
    ...{ turns, asides, queue, context, subagents, budgets, memory, plans },
    ...{ approvals: gate, questions, windows, notices, commands: new CommandBus() },
    ...parts.sessionParts,
    ...{ changes, finder },
    ...projectActions(parts.slot),
    ...sessionActions(parts),
  };
}
