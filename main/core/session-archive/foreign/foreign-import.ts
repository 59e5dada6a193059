import { realpathSync } from 'node:fs';
import type { ArchiveStores, NewArchive } from '../../store/archive-store';
import { saidText } from '../../store/said-text';
import { BringIn } from '../bring-in';
import { TurnMaker } from '../turn-maker';
import type { ForeignLog, ForeignSource, ForeignTool, ForeignToolId } from './foreign-log';
import { FOREIGN_TOOLS, foreignTool } from './foreign-tools';

export interface FoundTool {
  tool: ForeignToolId;
  name: string;
  path: string;
  sessions: number;
  /** How many of them are here already. */
  known: number;
}

export interface ForeignRequest {
  tool: ForeignToolId;
  /** Null: the tool's usual place. */
  path: string | null;
  /** Only sessions of this folder; null: all. */
  onlyFolder: string | null;
  newId(): string;
  titleOf(text: string): string;
}

export interface ForeignReport {
  /** Ids of the new sessions. */
  imported: string[];
  /** Were here already. */
  known: number;
  /** Held no message. */
  empty: number;
  /** Could not be read, with why for the first ones. */
  failed: number;
  problems: string[];
  /** Records that could not be read in those that could. */
  skipped: number;
}

export interface ForeignPlaces {
  env: Readonly<Record<string, string | undefined>>;
  home: string;
}

const MAX_PROBLEMS = 20;
const MAX_TITLE_CHARS = 200;

/** What other tools left on this machine. A tool whose place can't be read counts as not there. */
export async function findForeign(
  stores: Pick<ArchiveStores, 'sessions'>,
  { env, home }: ForeignPlaces,
  signal: AbortSignal,
): Promise<FoundTool[]> {
  const found: FoundTool[] = [];
  for (const tool of FOREIGN_TOOLS) {
    const path = tool.usualFolder(env, home);
    const sources = await tool.find(path, signal).catch((error: unknown): ForeignSource[] => {
      if (signal.aborted) throw error;
      return [];
    });
    const known = sources.filter(({ id }) => stores.sessions.byOrigin(tool.id, id)).length;
    if (sources.length > 0)
      found.push({ tool: tool.id, name: tool.name, path, sessions: sources.length, known });
  }
  return found;
}

const realPath = (path: string): string => {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
};

/** The project of the folder that the tool worked in; one that Lathe never opened is noted down, but not listed. */
function projectOf(stores: ArchiveStores, cwd: string | null, path: string) {
  const folder = cwd === null || cwd === '' ? path : realPath(cwd);
  const { id } = stores.projects.ensure(folder);
  return { projectId: id, projectPath: folder };
}

function newArchive(
  stores: ArchiveStores,
  tool: ForeignTool,
  source: ForeignSource,
  log: ForeignLog,
  request: ForeignRequest,
): NewArchive {
  const first = log.messages.find(({ message }) => message.role === 'user')?.message.content ?? '';
  const given = (log.title ?? '').replace(/\s+/g, ' ').trim().toWellFormed().slice(0, MAX_TITLE_CHARS);
  const times = log.messages.map(({ at }) => at).filter((at) => at > 0);
  const now = Date.now();
  return {
    ...{ id: request.newId(), ...projectOf(stores, log.cwd, source.path) },
    ...{
      title: given === '' ? request.titleOf(saidText(first)) : given,
      titleBy: given === '' ? 'message' : 'user',
    },
    ...{ mode: 'agent', model: null, agent: null, origin: tool.id, originId: source.id },
    lastFact: `imported from ${tool.name}`,
    createdAt: Math.min(now, times[0] ?? now),
    updatedAt: Math.min(now, Math.max(times.at(-1) ?? now, times[0] ?? now)),
  };
}

async function bringIn(
  stores: ArchiveStores,
  tool: ForeignTool,
  log: ForeignLog,
  session: NewArchive,
  request: ForeignRequest,
  signal: AbortSignal,
): Promise<void> {
  const into = new BringIn(stores, session);
  try {
    const maker = new TurnMaker({ newId: request.newId, mode: 'agent', agent: tool.name });
    for (const logged of log.messages) {
      signal.throwIfAborted();
      const made = maker.add(logged);
      for (const event of made.events) await into.event(event);
      await into.message(made.message);
    }
    for (const event of maker.end()) await into.event(event);
    const lost = log.skipped === 1 ? '1 record' : `${log.skipped} records`;
    const text = `Imported from ${tool.name}${log.skipped === 0 ? '' : `: ${lost} could not be read and were left out`}.`;
    into.finish({ type: 'session.imported', source: tool.id, skipped: log.skipped, text }, request.newId);
  } catch (error) {
    into.discard();
    throw error;
  }
}

const isIn = (cwd: string | null, folder: string | null): boolean =>
  folder === null || (cwd !== null && realPath(cwd) === realPath(folder));

/**
 * Brings in the sessions of another tool that are not here yet (wanted idea 8). The tool's files are only read; one that
 * can't be read is counted and does not keep the others out.
 *
 * @throws an AbortError; AppError `disk_full`, `busy` of our own store
 */
export async function importForeign(
  stores: ArchiveStores,
  request: ForeignRequest,
  places: ForeignPlaces,
  signal: AbortSignal,
  progress: (done: number) => void,
): Promise<ForeignReport> {
  const tool = foreignTool(request.tool);
  const sources = await tool.find(request.path ?? tool.usualFolder(places.env, places.home), signal);
  const report: ForeignReport = { imported: [], known: 0, empty: 0, failed: 0, problems: [], skipped: 0 };
  const problem = (source: ForeignSource, why: string): void => {
    report.failed += 1;
    if (report.problems.length < MAX_PROBLEMS) report.problems.push(`${source.path}: ${why}`);
  };
  for (const [done, source] of sources.entries()) {
    signal.throwIfAborted();
    progress(done);
    if (stores.sessions.byOrigin(tool.id, source.id)) {
      report.known += 1;
      continue;
    }
    const log = await readSafely(tool, source, signal, (why) => problem(source, why));
    if (!log) continue;
    if (!isIn(log.cwd, request.onlyFolder)) continue;
    if (!log.messages.some(({ message }) => message.role !== 'tool')) {
      report.empty += 1;
      continue;
    }
    const session = newArchive(stores, tool, source, log, request);
    await bringIn(stores, tool, log, session, request, signal);
    report.imported.push(session.id);
    report.skipped += log.skipped;
  }
  return report;
}

/** What is wrong with one file of another tool is wrong with that file alone. */
async function readSafely(
  tool: ForeignTool,
  source: ForeignSource,
  signal: AbortSignal,
  problem: (why: string) => void,
): Promise<ForeignLog | null> {
  try {
    const log = await tool.read(source, signal);
    if (!log) problem('its format is not known here');
    return log;
  } catch (error) {
    if (signal.aborted) throw error;
    problem(error instanceof Error ? error.message : String(error));
    return null;
  }
}
