import type { SessionId } from '../../shared/model/ids';
import type { Subagents } from './agent/subagents';
import { createPolicy } from './approval/policy';
import type { ApprovalGate } from './approval/types';
import type { ChangeServices } from './change/types';
import type { Basics } from './compose-basics';
import type { Contents } from './compose-contents';
import type { CoreOptions } from './core';
import type { ProcessLedger } from './process/ledger';
import { ProjectFinder } from './project/project-finder';
import type { ProjectServices } from './project/project-services';
import { ProjectSlot } from './project/project-slot';
import type { QuestionBoard } from './session/question-board';
import type { TurnService } from './session/turn-service';
import type { ProjectCatalog } from './workspace/project-catalog';
import { protection } from './workspace/protected-paths';

/** What a project stands on besides the basics. */
export interface ProjectParts {
  projects: ProjectCatalog;
  contents: Contents;
  processes: ProcessLedger;
  gate: ApprovalGate;
  questions: QuestionBoard;
  subagents: Subagents;
  /** Both stand on the open project themselves; they are there before one is opened. */
  turns(): TurnService;
  changes(): ChangeServices;
}

/** All that is the same for every project that is opened. */
function projectServices(
  options: CoreOptions,
  { store, settings, userRules, log, memory, catalog }: Basics,
  { contents, processes, gate, questions, subagents, changes }: ProjectParts,
): Omit<ProjectServices, 'confined'> {
  const { dataDir, host } = options;
  return {
    tasks: subagents,
    ...{ store, settings, userRules, host, log, memory, gate, questions, processes, dataDir },
    images: contents.images,
    recordChange: (set) => changes().log.record(set),
    changeLog: () => changes().log,
    lateEvent: ({ sessionId, turnId }, event) => {
      catalog.runtime(sessionId as SessionId).log.append(turnId, [event], []);
    },
    fileSets: contents.journal,
    policy: createPolicy({ protection }),
    flag: options.flag ?? 'dialog',
    confinement: options.confinement ?? 'off',
    terminalEnv: options.loginEnv ?? process.env,
  };
}

/** The place of the open project, with all that a project needs; leaving one stops its turns. */
export function createProjectSlot(options: CoreOptions, basics: Basics, parts: ProjectParts): ProjectSlot {
  return new ProjectSlot(parts.projects, projectServices(options, basics, parts), async () => {
    parts.subagents.dropQueue();
    await parts.turns().stopAll();
  });
}

/** Finds out which project an opened folder was before. */
export function createProjectFinder(
  { store, log }: Basics,
  projects: ProjectCatalog,
  slot: ProjectSlot,
): ProjectFinder {
  return new ProjectFinder({
    ...{ store: store.projects, projects },
    // Git runs nothing that a repository names; there is no folder yet that is not trusted.
    isTrusted: () => true,
    reopen: (path) => slot.use((known) => known.open(path)),
    onError: (error) => log.warn('the repository could not be looked at', { error: String(error) }),
    onKnown: (path) => log.info('the project is known by its repository', { path }),
  });
}
