import { mkdir } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { AppError } from '../../../shared/error';
import type { SessionId } from '../../../shared/model/ids';
import type { Mode } from '../../../shared/model/mode';
import type { SessionSummary } from '../../../shared/model/session';
import type { SessionCatalog } from '../session/session-catalog';
import type { Store } from '../store/types';
import { runJob } from '../worker/run-job';
import type { ExportReport } from './archive-export';
import type { ImportReport } from './archive-import';
import type { ArchiveOutcome, ArchiveTask } from './archive-job';
import type { ForeignPlaces, ForeignReport, FoundTool } from './foreign/foreign-import';
import type { ForeignToolId } from './foreign/foreign-log';

export interface SessionArchiveOptions {
  store: Store;
  sessions: SessionCatalog;
  app: string;
  isRunning(id: string): boolean;
  newId(): string;
  /** Values that no export may hold. */
  secrets(): Promise<readonly string[]>;
  /** Names of the agents there are. */
  agents(): readonly string[];
  /** Where other tools keep their sessions. */
  places: ForeignPlaces;
  /** There are messages that the search does not know yet. */
  onImported(): void;
}

export interface ImportTarget {
  projectId: string;
  projectPath: string;
  mode: Mode;
}

export interface Imported extends Omit<ImportReport, 'sessionId' | 'title'> {
  session: SessionSummary;
}

const SLUG_CHARS = 40;

/** A folder name that says what is in it and is new. */
function folderName({ title, id }: SessionSummary): string {
  const slug = title
    .normalize('NFD')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .slice(0, SLUG_CHARS)
    .replace(/^-+|-+$/g, '')
    .toLowerCase();
  return `lathe-${slug === '' ? 'session' : slug}-${id.slice(0, 8)}`;
}

function requireAbsolute(path: string): void {
  if (isAbsolute(path) && !path.includes('\0')) return;
  throw new AppError('bad_argument', `"${path.slice(0, 200)}" is no absolute path.`, {
    hint: 'Name the folder with its whole path.',
  });
}

/** Sessions out of the store into folders and back in (M2). The work is done in a thread of its own. */
export class SessionArchive {
  constructor(private readonly options: SessionArchiveOptions) {}

  /**
   * @param dir absolute path of a folder that is new or empty
   * @throws AppError `bad_argument`, `not_found`, `conflict`, `disk_full`, `io_failed`
   */
  async exportTo(id: SessionId, dir: string, signal?: AbortSignal): Promise<ExportReport> {
    const { sessions, isRunning, app, secrets } = this.options;
    requireAbsolute(dir);
    sessions.get(id);
    // What waits to be stored belongs into it.
    if (isRunning(id)) sessions.runtime(id).log.flush();
    const task: ArchiveTask = { kind: 'export', sessionId: id, dir, app, secrets: await secrets() };
    const outcome = await this.run(task, signal);
    if (outcome.kind !== 'export') throw new AppError('internal', 'The export gave another answer.');
    return outcome.report;
  }

  /** As `exportTo`, into a new folder inside `parent`, which is named after the session. */
  async exportInto(id: SessionId, parent: string, signal?: AbortSignal): Promise<ExportReport> {
    requireAbsolute(parent);
    const name = folderName(this.options.sessions.get(id));
    return this.exportTo(id, await this.freeFolder(join(parent, name)), signal);
  }

  /**
   * Reads a folder into a new session of a project.
   *
   * @throws AppError `bad_argument`, `folder_missing`, `file_too_large`, `disk_full`, `io_failed`
   */
  async importFrom(dir: string, target: ImportTarget, signal?: AbortSignal): Promise<Imported> {
    const { sessions, newId, agents, onImported } = this.options;
    requireAbsolute(dir);
    const task: ArchiveTask = { kind: 'import', dir, sessionId: newId(), agents: agents(), ...target };
    const outcome = await this.run(task, signal);
    if (outcome.kind !== 'import') throw new AppError('internal', 'The import gave another answer.');
    const { sessionId, title: _title, ...counts } = outcome.report;
    const session = sessions.get(sessionId as SessionId);
    sessions.announce({ kind: 'updated', summary: session });
    onImported();
    return { session, ...counts };
  }

  /** Sessions that other tools left on this machine. Their files are only read. */
  async findForeign(signal?: AbortSignal): Promise<FoundTool[]> {
    const outcome = await this.run({ kind: 'findForeign', ...this.options.places }, signal);
    return outcome.kind === 'findForeign' ? outcome.found : [];
  }

  /**
   * Brings in those of one tool that are not here yet; each goes to the project of the folder it was made in.
   *
   * @param choice `path`: where the tool keeps them (null: its usual place); `onlyFolder`: only those made in this folder
   * @throws AppError `disk_full`, `busy`
   */
  async importForeign(
    choice: { tool: ForeignToolId; path: string | null; onlyFolder: string | null },
    signal?: AbortSignal,
  ): Promise<ForeignReport> {
    const { sessions, onImported, places } = this.options;
    if (choice.path !== null) requireAbsolute(choice.path);
    const outcome = await this.run({ kind: 'importForeign', places, ...choice }, signal);
    if (outcome.kind !== 'importForeign') throw new AppError('internal', 'The import gave another answer.');
    for (const id of outcome.report.imported)
      sessions.announce({ kind: 'updated', summary: sessions.get(id as SessionId) });
    onImported();
    return outcome.report;
  }

  private async freeFolder(path: string): Promise<string> {
    for (let n = 1; n < 1000; n += 1) {
      const candidate = n === 1 ? path : `${path}-${n}`;
      try {
        await mkdir(candidate, { mode: 0o700 });
        return candidate;
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code === 'EEXIST') continue;
        throw new AppError(code === 'ENOSPC' ? 'disk_full' : 'io_failed', `${path} could not be made.`, {
          hint: 'Choose a folder that is there and that you may write to.',
          cause: error,
          detail: { path },
        });
      }
    }
    throw new AppError('conflict', `${path} is there already, many times over.`);
  }

  private async run(task: ArchiveTask, signal: AbortSignal | undefined): Promise<ArchiveOutcome> {
    const load = async () => (await import('./archive-job')).archiveJob;
    const input = { path: this.options.store.path, task };
    return runJob('session-archive', load, input, signal ? { signal } : {});
  }
}
