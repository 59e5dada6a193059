import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { ProjectInfo } from '../../../shared/contract/project';
import { AppError } from '../../../shared/error';
import type { ProjectStore, StoredProject } from '../store/types';
import { checkFolder, type CheckedFolder } from './folder-check';
import { onFolderSignal } from './folder-signal';
import { findGitDir, gitStateAt, type GitState } from '../git/git-state';

const RECENT_LIMIT = 30;
const byName = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

export type OpenFolder = StoredProject & { movedFrom: string | null };

export interface ProjectCatalogOptions {
  store: ProjectStore;
  /** LATHE_HOME: the tour's copy goes into `tour` below it. */
  dataDir: string;
  /** Folder of the bundled sample project. */
  tourSource: string;
}

export interface ProjectCatalog {
  current(): ProjectInfo | null;
  /** The row of the open folder; `movedFrom` is where it was when it was last opened, if that was somewhere else. */
  folder(): OpenFolder | null;
  /** @throws AppError `bad_argument`, `folder_missing`, `folder_unreadable`; the open project then stays open */
  open(path: string): Promise<ProjectInfo>;
  /** Opens a copy of the sample project; its own files are put back to how they ship, others are left alone. */
  openTour(): Promise<ProjectInfo>;
  close(): void;
  recent(): Promise<ProjectInfo[]>;
  /** Takes a project out of the recent ones; its sessions are kept. */
  forget(id: string): void;
  /** Sub-folders of an absolute path, '' = the home folder. @throws as `open` */
  browse(path: string): Promise<{ path: string; parent: string | null; folders: string[] }>;
  /** On open, close, removal or return of the folder and change of the branch. */
  onChange(listener: (project: ProjectInfo | null) => void): () => void;
  dispose(): void;
}

/** Device and inode find a renamed folder again; the time of birth keeps a reused inode from being taken for it. */
function identity({ facts }: CheckedFolder): { device: string; inode: string } {
  const born = facts.birthtimeNs > 0n ? `@${facts.birthtimeNs}` : '';
  return { device: String(facts.dev), inode: `${facts.ino}${born}` };
}

async function isThere(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}

const noteOf = ({ doing, isDetached, isBare }: GitState): ProjectInfo['gitNote'] =>
  doing ?? (isDetached ? 'detached' : isBare ? 'bare' : null);

async function describe(project: StoredProject): Promise<ProjectInfo> {
  const exists = await isThere(project.path);
  const git = exists ? await gitStateAt(project.path) : null;
  return ProjectInfo.parse({
    id: project.id,
    name: project.name,
    path: project.path,
    branch: git?.branch ?? null,
    gitNote: git === null ? null : noteOf(git),
    lastOpenedAt: project.lastOpenedAt,
    exists,
    isTour: project.isTour,
    folderId: project.folderId,
  });
}

/** Copies by reading and writing, so that the source may be a read-only package. */
async function copyFolder(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await copyFolder(source, target);
    else await writeFile(target, await readFile(source));
  }
}

class Catalog implements ProjectCatalog {
  readonly #options: ProjectCatalogOptions;
  readonly #listeners = new Set<(project: ProjectInfo | null) => void>();
  #current: ProjectInfo | null = null;
  #folder: OpenFolder | null = null;
  #stopWatching: (() => void) | null = null;

  constructor(options: ProjectCatalogOptions) {
    this.#options = options;
  }

  current(): ProjectInfo | null {
    return this.#current;
  }

  folder(): OpenFolder | null {
    return this.#folder;
  }

  open(path: string): Promise<ProjectInfo> {
    return this.#open(path, false);
  }

  async openTour(): Promise<ProjectInfo> {
    const target = join(this.#options.dataDir, 'tour');
    try {
      await copyFolder(this.#options.tourSource, target);
    } catch (error) {
      throw new AppError('io_failed', `The sample project could not be copied to ${target}.`, {
        hint: 'Check that the data folder is writable and has room.',
        cause: error,
      });
    }
    return this.#open(target, true);
  }

  async #open(path: string, isTour: boolean): Promise<ProjectInfo> {
    const folder = await checkFolder(path);
    const stored = this.#options.store.open(folder.path, {
      name: basename(folder.path) || folder.path,
      ...identity(folder),
      isTour: isTour || folder.path === (await this.#tourPath()),
    });
    const info = await describe(stored);
    await this.#watch(stored);
    this.#folder = stored;
    this.#become(info);
    return info;
  }

  async #tourPath(): Promise<string> {
    const path = join(this.#options.dataDir, 'tour');
    return (await isThere(path)) ? (await checkFolder(path)).path : path;
  }

  async #watch(project: StoredProject): Promise<void> {
    this.#stopWatching?.();
    this.#stopWatching = null;
    const gitDir = await findGitDir(project.path);
    const folders = [dirname(project.path), ...(gitDir === null ? [project.path] : [gitDir])];
    this.#stopWatching = onFolderSignal(folders, () => {
      void this.#lookAgain(project);
    });
  }

  async #lookAgain(project: StoredProject): Promise<void> {
    const info = await describe(project);
    if (this.#current?.id !== project.id) return;
    if (JSON.stringify(info) !== JSON.stringify(this.#current)) this.#become(info);
  }

  #become(info: ProjectInfo | null): void {
    this.#current = info;
    for (const listener of [...this.#listeners]) listener(info);
  }

  close(): void {
    this.#stopWatching?.();
    this.#stopWatching = null;
    this.#folder = null;
    if (this.#current !== null) this.#become(null);
  }

  recent(): Promise<ProjectInfo[]> {
    return Promise.all(this.#options.store.recent(RECENT_LIMIT).map(describe));
  }

  forget(id: string): void {
    this.#options.store.forget(id);
  }

  async browse(path: string): Promise<{ path: string; parent: string | null; folders: string[] }> {
    const folder = await checkFolder(path === '' ? homedir() : path);
    const entries = await readdir(folder.path, { withFileTypes: true });
    const names = await Promise.all(
      entries.map(async (entry) => {
        if (entry.isSymbolicLink()) return (await isThere(join(folder.path, entry.name))) ? entry.name : null;
        return entry.isDirectory() ? entry.name : null;
      }),
    );
    const isHidden = (name: string): number => (name.startsWith('.') ? 1 : 0);
    const parent = dirname(folder.path);
    return {
      path: folder.path,
      parent: parent === folder.path ? null : parent,
      folders: names
        .filter((name) => name !== null)
        .sort((a, b) => isHidden(a) - isHidden(b) || byName.compare(a, b)),
    };
  }

  onChange(listener: (project: ProjectInfo | null) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  dispose(): void {
    this.#stopWatching?.();
    this.#stopWatching = null;
    this.#listeners.clear();
  }
}

/** Which folder is open, and which were. One project at a time. */
export function createProjectCatalog(options: ProjectCatalogOptions): ProjectCatalog {
  return new Catalog(options);
}
