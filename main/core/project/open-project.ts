import { join } from 'node:path';
import type { ProjectInfo } from '../../../shared/contract/project';
import type { Mode } from '../../../shared/model/mode';
import type { TaskPort } from '../agent/task-port';
import type { MemoryPort } from '../memory/memory-port';
import { createGrantLedger, type GrantLedger } from '../approval/grant-ledger';
import type { Policy } from '../approval/policy';
import { shellParser } from '../approval/shell-parser';
import { openProjectRules, type RulesFile } from '../approval/rules-file';
import type { ApprovalFlag, ApprovalGate } from '../approval/types';
import { keepBeforeImages } from '../change/before-images';
import type { BlobStore } from '../change/blobs/blob-store';
import type { ChangeSet } from '../../../shared/model/change';
import type { ChangeLog, NewChangeSet } from '../change/types';
import type { FileSetJournal } from '../change/file-set-journal';
import { startBaseline } from '../change/baseline/baseline-thread';
import { CommandEffects, type EffectsOptions } from '../change/baseline/command-effects';
import { createCallRecorder } from '../change/log/call-recorder';
import { WriteFacts } from '../change/log/write-facts';
import type { HostPort } from '../host-port';
import type { Logger } from '../log/logger';
import type { ToolSpec } from '../model/port';
import type { QuestionBoard } from '../session/question-board';
import type { SettingsService } from '../settings/settings-service';
import type { Store } from '../store/types';
import type { ProcessLedger } from '../process/ledger';
import { createShellPool } from '../process/shell-pool';
import type { Confinement } from '../sandbox/confine';
import { warmRipgrep } from '../tool/builtin/lib/ripgrep';
import { builtinTools } from '../tool/builtin-tools';
import { createToolRegistry } from '../tool/registry';
import { createToolRunner } from '../tool/tool-runner';
import type { ToolRunner } from '../tool/types';
import type { WorkspaceFiles } from '../workspace/types';
import { openWorkspaceFiles } from '../workspace/workspace-files';
import type { ProjectDesk } from './project-desk';

export interface ProjectServices {
  store: Store;
  settings: SettingsService;
  host: HostPort;
  log: Logger;
  policy: Policy;
  gate: ApprovalGate;
  questions: QuestionBoard;
  processes: ProcessLedger;
  /** Subagents, for the tools that start and collect them. */
  tasks: TaskPort;
  /** What earlier sessions left for later ones. */
  memory: MemoryPort;
  userRules: RulesFile;
  /** Contents of files as they were and as they became. */
  images: BlobStore;
  /** Makes an entry of the open project's change log. */
  recordChange(set: NewChangeSet): ChangeSet;
  /** The open project's change log. */
  changeLog(): ChangeLog;
  /** Appends an event to a session whose call has ended. */
  lateEvent: EffectsOptions['late'];
  /** Changes of several files that are being written. */
  fileSets: FileSetJournal;
  dataDir: string;
  flag: ApprovalFlag;
  confinement: 'required' | 'off';
  /** What commands are shut into; null when they run as the user. */
  confined: Confinement | null;
  terminalEnv: NodeJS.ProcessEnv;
}

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

/** A folder's change log and backups are its own, also where its sessions count as another project's. */
export const folderIdOf = (info: ProjectInfo): string => info.folderId ?? info.id;

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

/** After the first request went out, before its answer can be there. */
const WARM_UP_MS = 250;
export async function openProject(info: ProjectInfo, services: ProjectServices): Promise<OpenProject> {
  const { store, settings, host, log, gate, questions, policy } = services;
  const files = await openWorkspaceFiles(info.path);
  const grants = createGrantLedger(store.grants, {
    user: services.userRules,
    project: openProjectRules(files.root),
  });
  const facts = new WriteFacts();
  const unconfined = createShellPool({ folder: files.root, runId: services.processes.runId });
  const shells = services.confined?.shells ?? unconfined;
  const effects = watchCommands(info, files.root, services, facts);
  const registry = createToolRegistry(
    builtinTools({
      tasks: services.tasks,
      memory: services.memory,
      fileSets: services.fileSets,
      ledger: services.processes,
      effects,
      confinement: () => Promise.resolve(services.confined),
      shells: unconfined,
    }),
  );
  const runner = createToolRunner({
    registry,
    decide: (input) => policy.decide({ ...input, reviewAfter: settings.get('chat.review.mode') === 'after' }),
    gate,
    rules: (sessionId) => grants.rulesFor(sessionId),
    onGrant: (rule, scope, sessionId) => void grants.add(rule, scope, scope === 'session' ? sessionId : null),
    onGrantUsed: (id) => grants.touch(id),
    files: keepBeforeImages(files, services.images, facts),
    recordCall: createCallRecorder(folderIdOf(info), store.changes, files, facts, services.recordChange),
    projectRoot: files.root,
    outputDir: join(services.dataDir, 'outputs'),
    flag: services.flag,
    confinement: services.confinement,
    approvalTimeoutMs: settings.get('chat.approval.timeoutSeconds') * 1000,
    questions,
    isUnsaved: (path) => store.backups.has(info.folderId ?? info.id, path),
  });
  // What the first search and the first command need is made ready while the model thinks, and not when they wait for it.
  const warm = setTimeout(() => {
    warmRipgrep();
    void shellParser().catch(() => undefined);
  }, WARM_UP_MS);
  warm.unref();
  let desk: Promise<ProjectDesk> | null = null;
  const openDesk = async (): Promise<ProjectDesk> => {
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
  };
  return {
    info,
    files,
    runner,
    grants,
    effects,
    toolSpecs: (mode) => {
      // Tools are asked for right before each request: while the model thinks, the shell of the next command is started.
      if (mode === 'agent') shells.prepareWhenIdle();
      return registry.specsFor(mode);
    },
    desk: () => (desk ??= openDesk()),
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
