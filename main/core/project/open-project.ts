import { join } from 'node:path';
import type { ProjectInfo } from '../../../shared/contract/project';
import type { Mode } from '../../../shared/model/mode';
import { createGrantLedger, type GrantLedger } from '../approval/grant-ledger';
import { openProjectRules } from '../approval/rules-file';
import { shellParser } from '../approval/shell-parser';
import { startBaseline } from '../change/baseline/baseline-thread';
import { CommandEffects } from '../change/baseline/command-effects';
import { WriteFacts } from '../change/log/write-facts';
import type { ToolSpec } from '../model/port';
import { processStarter } from '../process/process-starter';
import { createShellPool } from '../process/shell-pool';
import { warmRipgrep } from '../tool/builtin/lib/ripgrep';
import type { ToolRunner } from '../tool/types';
import type { WorkspaceFiles } from '../workspace/types';
import { openWorkspaceFiles } from '../workspace/workspace-files';
import { folderIdOf } from './folder-id';
import type { ProjectDesk } from './project-desk';
import type { ProjectServices } from './project-services';
import { projectRegistry, projectRunner, type ToolGround } from './project-tools';

/** After the first request went out, before its answer can be there. */
const WARM_UP_MS = 250;

/** One project in use: its files behind the jail, its tools with their permissions, and the desk of its windows. */
export interface OpenProject {
  readonly info: ProjectInfo;
  readonly files: WorkspaceFiles;
  readonly runner: ToolRunner;
  readonly grants: GrantLedger;
  readonly effects: CommandEffects;
  toolSpecs(mode: Mode): ToolSpec[];
  /** Made on first use. */
  desk(): Promise<ProjectDesk>;
  /** The folder is there again after it was moved away or deleted. */
  folderIsBack(): Promise<void>;
  close(): Promise<void>;
}

/** Follows what commands do to the project's files; what a killed process left is found at once. */
function watchCommands(
  info: ProjectInfo,
  root: string,
  { store, settings, log, images, dataDir, changeLog, lateEvent }: ProjectServices,
  facts: WriteFacts,
): CommandEffects {
  const projectId = folderIdOf(info);
  const baseline = startBaseline({
    root,
    recordFile: join(dataDir, 'baselines', `${projectId}.jsonl`),
    blobDir: images.dir,
    caps: {
      files: settings.get('chat.changes.maxFiles'),
      bytes: settings.get('chat.changes.maxMegabytes') * 1024 * 1024,
    },
  });
  const effects = new CommandEffects({
    ...{ projectId, store: store.changes, log: changeLog(), blobs: images, facts, baseline, logger: log },
    late: lateEvent,
  });
  void effects.recover();
  return effects;
}

/** Makes ready what the first search and the first command need while the model thinks, and not when they wait for it. */
function warmUpSoon(): NodeJS.Timeout {
  const warm = setTimeout(() => {
    warmRipgrep();
    processStarter();
    void shellParser().catch(() => undefined);
  }, WARM_UP_MS);
  warm.unref();
  return warm;
}

async function openDeskOf(
  { info, files, facts }: ToolGround,
  services: ProjectServices,
): Promise<ProjectDesk> {
  const { store, settings, host, log } = services;
  const module = await import('./project-desk');
  return module.openDesk({
    projectId: folderIdOf(info),
    files,
    host,
    log,
    backups: store.backups,
    shell: () => settings.get('terminal.integrated.shell'),
    onSettingsChanged: () => settings.reload(),
    terminalEnv: services.terminalEnv,
    changes: {
      blobs: services.images,
      facts,
      record: (set) => {
        const made = services.recordChange(set);
        facts.recorded(made.changes.map(({ path }) => path));
      },
    },
  });
}

/** Opens a folder that is known as a project. */
export async function openProject(info: ProjectInfo, services: ProjectServices): Promise<OpenProject> {
  const { store, settings } = services;
  const files = await openWorkspaceFiles(info.path);
  const grants = createGrantLedger(store.grants, {
    user: services.userRules,
    project: openProjectRules(files.root),
  });
  const facts = new WriteFacts();
  const unconfined = createShellPool({ folder: files.root, runId: services.processes.runId });
  const shells = services.confined ?? unconfined;
  const effects = watchCommands(info, files.root, services, facts);
  const ground: ToolGround = { info, files, grants, facts, effects, shells: unconfined };
  const registry = projectRegistry(ground, services);
  const runner = projectRunner(registry, ground, services);
  const warm = warmUpSoon();
  let desk: Promise<ProjectDesk> | null = null;
  return {
    info,
    files,
    runner,
    grants,
    effects,
    toolSpecs: (mode) => {
      // Tools are asked for right before each request: while the model thinks, the shell of the next command is started.
      if (mode === 'agent') shells.prepareSoon();
      return registry.specsFor(mode);
    },
    desk: () => (desk ??= openDeskOf(ground, services)),
    folderIsBack: async () => {
      settings.reload();
      await (await desk)?.folderIsBack();
    },
    close: async () => {
      clearTimeout(warm);
      unconfined.close();
      await (await desk?.catch(() => null))?.close();
      await effects.close();
    },
  };
}
