import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { ProjectOffer } from '../../../shared/contract/project';
import { AppError } from '../../../shared/error';
import type { ProjectId } from '../../../shared/model/ids';
import type { ProjectStore, StoredProject } from '../store/types';
import type { ProjectCatalog } from '../workspace/project-catalog';
import { readRepositoryFacts, type RepositoryFacts } from './repository-facts';

/** Opening a project comes first; git is asked once that is done. */
const LOOK_DELAY_MS = 1_500;

export interface ProjectFinderOptions {
  store: ProjectStore;
  projects: ProjectCatalog;
  /** Only folders that the user trusts are looked into. */
  isTrusted(path: string): boolean;
  /** Opens the folder again: it counts as another project now. */
  reopen(path: string): Promise<unknown>;
  onError(error: unknown): void;
  /** The open folder can be found again by its repository from now on. */
  onKnown?(path: string): void;
  delayMs?: number;
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() ?? false;
}

/** Two addresses that are not the same are two projects, even with one beginning: forks of a template. */
const fits = (folder: StoredProject, other: StoredProject): boolean =>
  folder.remote === null || other.remote === null || folder.remote === other.remote;

/**
 * Finds the project that a folder was before: after a move, in a clone, a copy or a worktree (case-H04). It only offers;
 * the user decides.
 */
export class ProjectFinder {
  private list: ProjectOffer[] = [];
  private readonly listeners = new Set<(offers: readonly ProjectOffer[]) => void>();
  private readonly stop: () => void;
  private looking = new AbortController();
  private timer: NodeJS.Timeout | null = null;
  /** The folder that the offers are for. */
  private followed: string | null = null;

  constructor(private readonly options: ProjectFinderOptions) {
    this.stop = options.projects.onChange(() => this.follow());
    this.follow();
  }

  offers(): readonly ProjectOffer[] {
    return this.list;
  }

  onChange(listener: (offers: readonly ProjectOffer[]) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /**
   * The open folder counts as the offered project from now on: its sessions are here too.
   *
   * @throws AppError `not_found` when that is not on offer (any more)
   */
  async relink(otherId: string): Promise<void> {
    const { store, reopen } = this.options;
    const { folder, offer } = this.offered(otherId);
    const other = store.byId(otherId);
    if (!other || offer.kind === 'moved') throw gone();
    store.relink(folder, other, !(await isFolder(other.path)));
    await this.again(folder.path, reopen);
  }

  /** The open folder stays, or becomes, a project of its own, and is not asked about again. @throws as `relink` */
  async keepSeparate(otherId: string): Promise<void> {
    const { store, reopen } = this.options;
    const { folder, offer } = this.offered(otherId);
    if (offer.kind === 'moved') {
      store.split(folder, offer.path);
      const made = store.byPath(folder.path);
      if (made) store.keepSeparate(made.folderId, folder.id);
      await this.again(folder.path, reopen);
      return;
    }
    store.keepSeparate(folder.folderId, otherId);
    this.publish(this.list.filter((each) => each.otherId !== otherId));
  }

  /** What a look of now gives; `look` is made by itself a moment after a project was opened. */
  async look(signal: AbortSignal = this.looking.signal): Promise<void> {
    const { projects, store, isTrusted } = this.options;
    const folder = projects.folder();
    if (!folder || folder.isTour || !isTrusted(folder.path)) return;
    const facts = await readRepositoryFacts(folder.path, signal);
    if (signal.aborted || projects.folder()?.folderId !== folder.folderId) return;
    store.setRepository(folder.folderId, facts);
    if (facts.rootCommit === null) return;
    this.options.onKnown?.(folder.path);
    const now = { ...folder, remote: facts.remote, rootCommit: facts.rootCommit };
    const found = await Promise.all(
      store
        .sameRepository(now)
        .filter((other) => fits(now, other) && store.sessionCount(other.id) > 0)
        .map((other) => this.offer(other, facts)),
    );
    if (!signal.aborted) this.publish([...this.list.filter(({ kind }) => kind === 'moved'), ...found]);
  }

  close(): void {
    this.stop();
    this.looking.abort();
    if (this.timer) clearTimeout(this.timer);
    this.listeners.clear();
  }

  private follow(): void {
    const folder = this.options.projects.folder();
    const known = folder && `${folder.folderId} ${folder.path}`;
    if (known === this.followed) return;
    this.followed = known;
    this.looking.abort();
    this.looking = new AbortController();
    if (this.timer) clearTimeout(this.timer);
    this.publish(folder ? this.moved(folder) : []);
    if (!folder) return;
    const { onError, delayMs = LOOK_DELAY_MS } = this.options;
    const { signal } = this.looking;
    this.timer = setTimeout(() => {
      this.look(signal).catch((error: unknown) => {
        if (!signal.aborted) onError(error);
      });
    }, delayMs);
    this.timer.unref();
  }

  /** A renamed folder is the same one for certain; the user is told all the same and may say no. */
  private moved(folder: StoredProject & { movedFrom: string | null }): ProjectOffer[] {
    const sessions = this.options.store.sessionCount(folder.id);
    if (folder.movedFrom === null || sessions === 0) return [];
    return [
      {
        ...{ kind: 'moved', otherId: folder.id as ProjectId, sessions, exists: false },
        ...{ name: basename(folder.movedFrom), path: folder.movedFrom },
      },
    ];
  }

  private async offer(other: StoredProject, facts: RepositoryFacts): Promise<ProjectOffer> {
    const exists = await isFolder(other.path);
    const isSibling =
      exists && facts.commonDir !== null && (await this.commonDirOf(other)) === facts.commonDir;
    return {
      ...{ kind: isSibling ? 'worktree' : 'repository', otherId: other.id as ProjectId, exists },
      ...{ name: other.name, path: other.path, sessions: this.options.store.sessionCount(other.id) },
    };
  }

  private async commonDirOf({ path }: StoredProject): Promise<string | null> {
    if (!this.options.isTrusted(path)) return null;
    return (await readRepositoryFacts(path, this.looking.signal)).commonDir;
  }

  private offered(otherId: string) {
    const folder = this.options.projects.folder();
    const offer = this.list.find((each) => each.otherId === otherId);
    if (!folder || !offer) throw gone();
    return { folder, offer };
  }

  private async again(path: string, reopen: ProjectFinderOptions['reopen']): Promise<void> {
    this.followed = null;
    this.publish([]);
    await reopen(path);
  }

  private publish(offers: ProjectOffer[]): void {
    this.list = offers;
    for (const listener of this.listeners) listener(offers);
  }
}

const gone = (): AppError =>
  new AppError('not_found', 'This project is not on offer any more.', {
    hint: 'It may have been answered in another window.',
  });
