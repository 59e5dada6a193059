import type { FileContent, FileEntry, SaveResult } from '../../../shared/contract/files';
import { AppError } from '../../../shared/error';
import type { HostPort } from '../host-port';
import { readContent } from './file-content';
import type { FileManifest } from './file-manifest';
import { createEntry, moveEntry, removeEntry } from './file-moves';
import { saveContent, type SaveRequest } from './file-save';
import { listEntries } from './folder-entries';
import { fuzzyFind } from './fuzzy-find';
import type { GitIgnore } from './git-ignore';
import type { WorkspaceFiles } from './types';

export interface ExplorerFilesOptions {
  files: WorkspaceFiles;
  ignore: GitIgnore;
  manifest: FileManifest;
  host: Pick<HostPort, 'trash' | 'revealInFileManager'>;
}

/** The files of one project as its explorer and editor use them (shared/contract/files.ts). */
export interface ExplorerFiles {
  list(path: string): Promise<FileEntry[]>;
  read(path: string): Promise<FileContent>;
  save(request: SaveRequest): Promise<SaveResult>;
  create(path: string, kind: 'file' | 'folder'): Promise<void>;
  move(from: string, to: string): Promise<void>;
  remove(path: string): Promise<{ permanent: boolean }>;
  find(query: string, limit: number): Promise<string[]>;
  /** @throws AppError `unsupported` where the host has no file manager */
  reveal(path: string): Promise<void>;
}

export function createExplorerFiles({ files, ignore, manifest, host }: ExplorerFilesOptions): ExplorerFiles {
  return {
    list: (path) => listEntries(files, ignore, path),
    read: (path) => readContent(files, path),
    save: (request) => saveContent(files, request),
    create: (path, kind) => createEntry(files, path, kind),
    move: (from, to) => moveEntry(files, from, to),
    remove: (path) => removeEntry(files, path, host.trash),
    find: async (query, limit) => fuzzyFind(query, await manifest.entries(), limit),
    reveal: async (path) => {
      if (!host.revealInFileManager) {
        throw new AppError('unsupported', 'This host has no file manager to show the file in.', {
          hint: 'Copy the path instead.',
        });
      }
      await host.revealInFileManager((await files.resolve(path)).absolute);
    },
  };
}
