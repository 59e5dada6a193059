import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../../shared/error';
import { TurnEventPayload } from '../../../shared/model/turn-event';
import type { Mode } from '../../../shared/model/mode';
import type { CompactionRecord } from '../context/records';
import type { ModelMessage } from '../model/port';
import { saidText } from '../store/said-text';
import type { ArchivedEvent, ArchiveStores, NewArchive } from '../store/archive-store';
import {
  ARCHIVE_FILES,
  ARCHIVE_LIMITS,
  ArchiveCompaction,
  ArchiveSummary,
  IndexLine,
} from './archive-format';
import { BringIn } from './bring-in';
import { jsonlLines, openRegular, readRecord } from './jsonl-lines';
import { fromOpenAi } from './openai-message';
import { Rekey } from './rekey';
import { TurnMaker } from './turn-maker';

export interface ImportRequest {
  /** Absolute path of the folder. */
  dir: string;
  sessionId: string;
  projectId: string;
  projectPath: string;
  mode: Mode;
  /** Agents that there are here; another one is not taken over. */
  agents: readonly string[];
  newId(): string;
  /** Title for a session that has none. */
  titleOf(text: string): string;
}

export interface ImportReport {
  sessionId: string;
  title: string;
  messages: number;
  events: number;
  /** Lines that could not be read. */
  skipped: number;
  /** System messages, which are never taken over. */
  instructions: number;
}

const MAX_TITLE_CHARS = 200;
/** Clocks may differ; what lies further ahead is no time. */
const FUTURE_MS = 86_400_000;

async function readJson(path: string): Promise<unknown> {
  const file = await openRegular(path, ARCHIVE_LIMITS.json);
  if (!file) return undefined;
  try {
    return JSON.parse(await file.readFile('utf8')) as unknown;
  } catch {
    return undefined;
  } finally {
    await file.close();
  }
}

/** Gives each line that can be read; the others are counted, empty ones in the middle too. */
async function* records<T>(
  path: string,
  read: (value: unknown) => T | null,
  skip: () => void,
): AsyncGenerator<{ line: number; value: T }> {
  const file = await openRegular(path, ARCHIVE_LIMITS.file);
  if (!file) return;
  try {
    let line = -1;
    for await (const text of jsonlLines(file, ARCHIVE_LIMITS)) {
      line += 1;
      const value = readRecord(text, read);
      if (value !== null) yield { line, value };
      else skip();
    }
  } finally {
    await file.close();
  }
}

/** Times never go back and never lie in the future. */
class Clock {
  private last = 0;
  constructor(private readonly now = Date.now()) {}

  at(time: number): number {
    const sane = time > 0 && time < this.now + FUTURE_MS ? time : this.last;
    this.last = Math.max(this.last, sane);
    return this.last;
  }
}

interface EventLine {
  at: number;
  turnId: string;
  payload: TurnEventPayload;
}

/** Rewinds and imports of the session that was exported are no part of this one. */
function readEvent(value: unknown): EventLine | null {
  const header = EventHeaderLine.safeParse(value);
  const payload = TurnEventPayload.safeParse(value);
  if (!header.success || !payload.success || payload.data.type === 'session.rewound') return null;
  return { ...header.data, payload: payload.data };
}

const EventHeaderLine = IndexLine.pick({ at: true, turnId: true });

/** A file that a call's output was kept in is not on this machine, and a path of somebody else is not to be opened. */
function withoutPaths(payload: TurnEventPayload): TurnEventPayload {
  if (payload.type !== 'call.state' || payload.result?.fullOutputPath === undefined) return payload;
  const { fullOutputPath: _path, ...result } = payload.result;
  return { ...payload, result };
}

async function readIndex(dir: string): Promise<Map<number, IndexLine>> {
  const read = (value: unknown): IndexLine | null => IndexLine.safeParse(value).data ?? null;
  const index = new Map<number, IndexLine>();
  const path = join(dir, ARCHIVE_FILES.index);
  for await (const { line, value } of records(path, read, () => undefined)) index.set(line, value);
  return index;
}

async function readCompactions(
  dir: string,
  sessionId: string,
  newId: () => string,
): Promise<CompactionRecord[]> {
  const folder = join(dir, ARCHIVE_FILES.checkpoints);
  const facts = await lstat(folder).catch(() => null);
  const names =
    facts?.isDirectory() === true ? (await readdir(folder)).filter((name) => name.endsWith('.json')) : [];
  const paths = names
    .sort()
    .slice(0, ARCHIVE_LIMITS.compactions)
    .map((name) => join(folder, name));
  const values = await Promise.all(
    (paths.length > 0 ? paths : [join(dir, ARCHIVE_FILES.compaction)]).map((path) => readJson(path)),
  );
  return values.flatMap((value) => {
    const parsed = ArchiveCompaction.safeParse(value);
    return parsed.success ? [compactionRecord(parsed.data, sessionId, newId())] : [];
  });
}

const compactionRecord = (data: ArchiveCompaction, sessionId: string, id: string): CompactionRecord => ({
  id,
  sessionId,
  tier: data.tier,
  focus: data.focus,
  prefixHash: data.prefix_hash,
  replacedCount: data.boundary_index,
  summary: data.summary,
  kept: data.kept,
  madeBy: data.made_by,
  beforeTokens: data.before_tokens,
  afterTokens: data.after_tokens,
  at: data.at,
  undoneAt: data.undone_at,
});

/** What `summary.json` of a folder says; nothing of it can be relied on. */
export const readSummary = async (dir: string): Promise<ArchiveSummary> =>
  ArchiveSummary.safeParse(await readJson(join(dir, ARCHIVE_FILES.summary))).data ?? {};

async function requireFolder(dir: string): Promise<void> {
  const facts = await lstat(dir).catch(() => null);
  if (facts?.isDirectory() === true) return;
  throw new AppError('folder_missing', `There is no folder ${dir}.`, { detail: { path: dir } });
}

/** One folder that is being read in. */
class FolderImport {
  private readonly rekey: Rekey;
  private readonly clock = new Clock();
  private readonly maker: TurnMaker;
  skipped = 0;
  instructions = 0;
  /** What the user said first, for the title. */
  firstText = '';

  constructor(
    private readonly request: ImportRequest,
    private readonly into: BringIn,
    private readonly signal: AbortSignal,
  ) {
    const { newId, mode, sessionId } = request;
    this.rekey = new Rekey(sessionId, newId);
    this.maker = new TurnMaker({ newId, mode, agent: 'Agent' });
  }

  private readonly skip = (): void => {
    this.skipped += 1;
  };

  /** The log of a session that Lathe exported. */
  async events(): Promise<number> {
    const path = join(this.request.dir, ARCHIVE_FILES.events);
    let count = 0;
    for await (const { value } of records(path, readEvent, this.skip)) {
      this.signal.throwIfAborted();
      const { turnId, at, payload } = value;
      const row: ArchivedEvent = {
        turnId: this.rekey.id(turnId),
        at: this.clock.at(at),
        payload: withoutPaths(this.rekey.value(payload)),
      };
      await this.into.event(row);
      count += 1;
    }
    return count;
  }

  /** The messages, and their events where there is no log. */
  async messages(index: ReadonlyMap<number, IndexLine>, withEvents: boolean): Promise<void> {
    const path = join(this.request.dir, ARCHIVE_FILES.history);
    for await (const { line, value } of records(path, fromOpenAi, this.skip)) {
      this.signal.throwIfAborted();
      if (value === 'instructions') this.instructions += 1;
      else await this.message(value, index.get(line), withEvents);
    }
    if (withEvents) for (const event of this.maker.end()) await this.into.event(event);
  }

  private async message(
    value: ModelMessage,
    known: IndexLine | undefined,
    withEvents: boolean,
  ): Promise<void> {
    if (value.role === 'user' && this.firstText === '') this.firstText = saidText(value.content);
    const at = this.clock.at(known?.at ?? 0);
    const id = known ? this.rekey.once(known.id) : this.request.newId();
    const made = this.maker.add({ message: value, at }, id);
    if (withEvents) for (const event of made.events) await this.into.event(event);
    const turnId = known && !withEvents ? this.rekey.id(known.turnId) : made.message.turnId;
    await this.into.message({ id, turnId, at, message: withOpaque(value, known) });
  }

  marks(summary: ArchiveSummary) {
    return new Map(
      (summary.marks ?? []).map(([id, mark]) => [this.rekey.has(id) ? this.rekey.id(id) : id, mark]),
    );
  }
}

/** Data that only one provider understands goes back to it with the message it came with. */
function withOpaque(message: ModelMessage, known: IndexLine | undefined): ModelMessage {
  if (message.role !== 'assistant' || known?.opaque === undefined) return message;
  return { ...message, opaque: { provider: known.opaque.provider, data: known.opaque.data } };
}

function newArchive(request: ImportRequest, summary: ArchiveSummary): NewArchive {
  const now = Date.now();
  const sane = (time: number | undefined): number =>
    time !== undefined && time > 0 && time <= now ? time : now;
  return {
    id: request.sessionId,
    projectId: request.projectId,
    projectPath: request.projectPath,
    title: (summary.title ?? '').replace(/\s+/g, ' ').trim().toWellFormed().slice(0, MAX_TITLE_CHARS),
    titleBy: 'user',
    mode: summary.mode ?? request.mode,
    model: summary.model ?? null,
    agent: request.agents.find((name) => name === summary.agent) ?? null,
    origin: summary.format === undefined ? 'openai' : (summary.origin ?? 'lathe'),
    originId: null,
    lastFact: summary.reminders?.last_fact ?? 'imported',
    createdAt: sane(summary.created_at),
    updatedAt: Math.max(sane(summary.created_at), sane(summary.updated_at)),
  };
}

function noteOf(skipped: number, instructions: number, origin: string): TurnEventPayload | null {
  const parts = [
    ...(skipped > 0
      ? [`${skipped} ${skipped === 1 ? 'line' : 'lines'} could not be read and were left out`]
      : []),
    ...(instructions > 0 ? ['its system messages were left out'] : []),
  ];
  if (parts.length === 0 && origin === 'lathe') return null;
  const text = `Imported from a folder${parts.length === 0 ? '' : `: ${parts.join('; ')}`}.`;
  return { type: 'session.imported', source: origin, skipped, text };
}

/**
 * Reads a folder with `chat_history.jsonl` into a new session (M2). Other files make it exact; without `events.jsonl` the
 * chat is rebuilt from the messages. Lines that can't be read are left out and counted, later ones are kept (fault-F116).
 * Everything in the folder counts as written by a stranger.
 *
 * @throws AppError `folder_missing`, `bad_argument` (no chat history in it), `file_too_large`, `disk_full`; an AbortError
 */
export async function importFolder(
  stores: ArchiveStores,
  request: ImportRequest,
  signal: AbortSignal,
): Promise<ImportReport> {
  const { dir, sessionId, newId, titleOf } = request;
  await requireFolder(dir);
  const history = await openRegular(join(dir, ARCHIVE_FILES.history), ARCHIVE_LIMITS.file);
  if (!history) {
    throw new AppError('bad_argument', `${dir} holds no ${ARCHIVE_FILES.history}.`, {
      hint: 'Choose the folder that an export wrote.',
      detail: { path: dir },
    });
  }
  await history.close();
  const summary = await readSummary(dir);
  const session = newArchive(request, summary);
  const into = new BringIn(stores, session);
  try {
    const work = new FolderImport(request, into, signal);
    const known = await work.events();
    await work.messages(await readIndex(dir), known === 0);
    if (session.title === '') {
      session.title = titleOf(work.firstText);
      session.titleBy = 'message';
    }
    stores.archive.addContext(sessionId, await readCompactions(dir, sessionId, newId), work.marks(summary));
    const todos = summary.reminders?.todos ?? [];
    if (known === 0 && todos.length > 0) {
      await into.event({
        turnId: newId(),
        at: session.updatedAt,
        payload: { type: 'todo.changed', items: todos },
      });
    }
    const { skipped, instructions } = work;
    into.finish(noteOf(skipped, instructions, session.origin), newId);
    return { sessionId, title: session.title, ...into.counts, skipped, instructions };
  } catch (error) {
    into.discard();
    throw error;
  }
}
