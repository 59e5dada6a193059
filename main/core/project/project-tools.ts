import { join } from 'node:path';
import type { ProjectInfo } from '../../../shared/contract/project';
import type { GrantLedger } from '../approval/grant-ledger';
import type { CommandEffects } from '../change/baseline/command-effects';
import { keepBeforeImages } from '../change/before-images';
import { createCallRecorder } from '../change/log/call-recorder';
import type { WriteFacts } from '../change/log/write-facts';
import type { ShellPool } from '../process/shell-pool';
import { builtinTools } from '../tool/builtin-tools';
import { createToolRegistry, type ToolRegistry } from '../tool/registry';
import { createToolRunner } from '../tool/tool-runner';
import type { ToolRunner } from '../tool/types';
import type { WorkspaceFiles } from '../workspace/types';
import { folderIdOf } from './folder-id';
import type { ProjectServices } from './project-services';

/** What the tools of one project act on. */
export interface ToolGround {
  info: ProjectInfo;
  files: WorkspaceFiles;
  grants: GrantLedger;
  facts: WriteFacts;
  effects: CommandEffects;
  /** Shells outside of any confinement. */
  shells: ShellPool;
}

/** The tools that a project's sessions have. */
export function projectRegistry({ effects, shells }: ToolGround, services: ProjectServices): ToolRegistry {
  return createToolRegistry(
    builtinTools({
      tasks: services.tasks,
      memory: services.memory,
      fileSets: services.fileSets,
      ledger: services.processes,
      effects,
      confinement: async () => (await services.confined?.get()) ?? null,
      shells,
    }),
  );
}

/** Runs calls of these tools: within the project, as far as rules and people permit, and written down. */
export function projectRunner(
  registry: ToolRegistry,
  { info, files, grants, facts }: ToolGround,
  services: ProjectServices,
): ToolRunner {
  const { store, settings, gate, questions, policy } = services;
  return createToolRunner({
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
    beforeEffect: services.confined === null ? undefined : () => services.confined?.get(),
    approvalTimeoutMs: settings.get('chat.approval.timeoutSeconds') * 1000,
    questions,
    isUnsaved: (path) => store.backups.has(folderIdOf(info), path),
  });
}
