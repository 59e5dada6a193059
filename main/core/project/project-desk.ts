import { recordExplorer, userFiles, type UserChangeOptions } from '../change/log/user-changes';
import type { HostPort } from '../host-port';
import type { Logger } from '../log/logger';
import type { BackupStore } from '../store/types';
import { TerminalService } from '../terminal/terminal-service';
import { createBackups, type Backups } from '../workspace/backups';
import { createExplorerFiles, type ExplorerFiles } from '../workspace/explorer-files';
import { createFileManifest } from '../workspace/file-manifest';
import { createGitIgnore } from '../workspace/git-ignore';
import type { WorkspaceFiles } from '../workspace/types';
import { watchWorkspace, type ChangeBatch } from '../workspace/watcher';

/** What a window needs of a project besides its agent: explorer, editor files, terminals. A headless run never loads it. */
export interface ProjectDesk {
  readonly explorer: ExplorerFiles;
  readonly terminals: TerminalService;
  readonly backups: Backups;
  onFilesChanged(listener: (batch: ChangeBatch) => void): () => void;
  /** The folder is there again after it was moved away or deleted. */
  folderIsBack(): Promise<void>;
  close(): Promise<void>;
}

export interface DeskOptions {
  projectId: string;
  files: WorkspaceFiles;
  host: HostPort;
  log: Logger;
  backups: BackupStore;
  shell: () => string;
  /** The project's own settings or rules changed. */
  onSettingsChanged: () => void;
  terminalEnv: NodeJS.ProcessEnv;
  /** Where what the user does to files is written down. */
  changes: Omit<UserChangeOptions, 'files' | 'onError'>;
}

/** The folder too: what is written into it in the moment of its making has no event of its own. */
const PROJECT_FILES = new Set(['.lathe', '.lathe/settings.jsonc', '.lathe/rules.jsonc']);

export async function openDesk(options: DeskOptions): Promise<ProjectDesk> {
  const { files, host, log } = options;
  const { root } = files;
  const ignore = createGitIgnore(root);
  const manifest = createFileManifest({ root, ignore, logger: log });
  const watcher = await watchWorkspace({ root, logger: log });
  watcher.onChange((batch) => {
    manifest.apply(batch);
    if (batch.overflow || batch.paths.some(({ path }) => PROJECT_FILES.has(path)))
      options.onSettingsChanged();
  });
  const changes: UserChangeOptions = {
    ...options.changes,
    files,
    onError: (error) => log.error('what the user changed is not in the log', { error: String(error) }),
  };
  const explorer = recordExplorer(
    createExplorerFiles({ files: userFiles(changes), ignore, manifest, host }),
    changes,
  );
  const terminals = new TerminalService({ root, shell: options.shell, env: options.terminalEnv, log });
  return {
    explorer,
    terminals,
    backups: createBackups(options.backups, options.projectId),
    onFilesChanged: (listener) => watcher.onChange(listener),
    folderIsBack: () => watcher.restart(),
    close: async () => {
      manifest.close();
      await Promise.all([watcher.close(), terminals.closeAll()]);
    },
  };
}
