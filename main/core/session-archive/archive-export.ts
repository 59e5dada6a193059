import { constants } from 'node:fs';
import { mkdir, open, readdir, rm, rmdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { AppError } from '../../../shared/error';
import type { SessionSummary } from '../../../shared/model/session';
import type { CompactionRecord } from '../context/records';
import { writeRecording } from '../recording/recording-file';
import { loadView } from '../session/session-runtime';
import type { ArchiveStores } from '../store/archive-store';
import {
  ARCHIVE_FILES,
  ARCHIVE_FORMAT,
  ARCHIVE_VERSION,
  type ArchiveCompaction,
  type ArchiveSummary,
  type IndexLine,
} from './archive-format';
import { keyHider } from './hide-keys';
import { toOpenAi } from './openai-message';

/** Rows read at once. */
const BATCH = 200;

export interface ExportRequest {
  sessionId: string;
  /** Absolute path of a folder that is not there yet or empty. */
  dir: string;
  app: string;
  /** Values that must not be written, such as the keys of the providers. */
  secrets: readonly string[];
}

export interface ExportReport {
  dir: string;
  messages: number;
  events: number;
  /** Absolute paths of what was written. */
  files: string[];
}

type Compose = (value: unknown) => string;

function notWritten(path: string, error: unknown): AppError {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EEXIST' || code === 'ELOOP') {
    return new AppError('conflict', `${path} is there already, so nothing was written over it.`, {
      hint: 'Choose a folder that is new or empty.',
      detail: { path },
    });
  }
  return new AppError(code === 'ENOSPC' ? 'disk_full' : 'io_failed', `${path} could not be written.`, {
    hint: code === 'ENOSPC' ? 'Free some space and try again.' : 'Check the folder and its permissions.',
    cause: error,
    detail: { path },
  });
}

/** Files of one export. Each is made anew, for its user alone; a file or link that is there already is never written. */
class ExportFolder {
  readonly files: string[] = [];
  private readonly folders: string[] = [];

  constructor(readonly dir: string) {}

  async prepare(path = this.dir): Promise<void> {
    try {
      const made = await mkdir(path, { recursive: true, mode: 0o700 });
      if (made !== undefined) this.folders.push(path);
      else if ((await readdir(path)).length > 0)
        throw Object.assign(new Error('not empty'), { code: 'EEXIST' });
    } catch (error) {
      throw notWritten(path, error);
    }
  }

  /** Writes pieces as they come; a piece is a line or a whole text. */
  async write(name: string, pieces: Iterable<string> | AsyncIterable<string>): Promise<void> {
    const path = join(this.dir, name);
    try {
      const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
      const file = await open(path, flags, 0o600);
      this.files.push(path);
      try {
        for await (const piece of pieces) await file.writeFile(piece);
        await file.sync();
      } finally {
        await file.close();
      }
    } catch (error) {
      throw error instanceof AppError ? error : notWritten(path, error);
    }
  }

  /** Takes away what was written, and folders that were made for it. */
  async discard(): Promise<void> {
    for (const file of this.files) await rm(file, { force: true }).catch(() => undefined);
    // A folder that holds something else stays.
    for (const folder of this.folders.reverse()) await rmdir(folder).catch(() => undefined);
  }
}

function* messageRows(stores: ArchiveStores, sessionId: string) {
  for (let after = 0; ;) {
    const { messages } = stores.events.messages(sessionId, after, BATCH);
    yield* messages;
    const last = messages.at(-1);
    if (!last) return;
    after = last.position;
  }
}

function* historyLines(
  stores: ArchiveStores,
  id: string,
  line: Compose,
  signal: AbortSignal,
): Generator<string> {
  for (const { message } of messageRows(stores, id)) {
    signal.throwIfAborted();
    yield line(toOpenAi(message));
  }
}

function* indexLines(stores: ArchiveStores, sessionId: string, line: Compose): Generator<string> {
  for (const { id, turnId, at, message } of messageRows(stores, sessionId)) {
    const opaque = message.role === 'assistant' ? message.opaque : undefined;
    const entry: IndexLine = { id, turnId, at, ...(opaque === undefined ? {} : { opaque }) };
    yield line(entry);
  }
}

/** What counts of the log, numbered anew: what a rewind took back is not given away. */
function* eventLines(
  stores: ArchiveStores,
  id: string,
  line: Compose,
  signal: AbortSignal,
): Generator<string> {
  let seq = 0;
  for (let from = 0; ;) {
    signal.throwIfAborted();
    const events = stores.windows.active(id, from, Number.MAX_SAFE_INTEGER, BATCH);
    for (const event of events) yield line({ ...event, seq: (seq += 1) });
    const last = events.at(-1);
    if (!last) return;
    from = last.seq + 1;
  }
}

const compactionOf = (record: CompactionRecord): ArchiveCompaction => ({
  boundary_index: record.replacedCount,
  prefix_hash: record.prefixHash,
  summary: record.summary,
  kept: record.kept,
  tier: record.tier,
  focus: record.focus,
  made_by: record.madeBy,
  before_tokens: record.beforeTokens,
  after_tokens: record.afterTokens,
  at: record.at,
  undone_at: record.undoneAt,
});

function summaryOf(
  session: SessionSummary,
  stores: ArchiveStores,
  app: string,
  counts: Record<string, number>,
): ArchiveSummary {
  const view = loadView(session.id, stores);
  return {
    format: ARCHIVE_FORMAT,
    version: ARCHIVE_VERSION,
    app,
    id: session.id,
    title: session.title,
    mode: session.mode,
    model: session.model,
    agent: session.agent,
    ...(session.origin === undefined ? {} : { origin: session.origin }),
    project: { name: basename(session.projectPath), path: session.projectPath },
    created_at: session.createdAt,
    updated_at: session.updatedAt,
    reminders: { todos: view.todos, last_fact: session.lastFact },
    counts: {
      ...counts,
      tool_calls: view.toolCount,
      tokens: view.totalTokens,
    },
    marks: [...stores.context.marks(session.id)],
  };
}

async function writeCompactions(
  folder: ExportFolder,
  stores: ArchiveStores,
  sessionId: string,
  pretty: Compose,
): Promise<number> {
  const records = stores.context.compactions(sessionId);
  const active = records.findLast((record) => record.undoneAt === null);
  await folder.write(ARCHIVE_FILES.compaction, [pretty(active ? compactionOf(active) : null)]);
  await folder.prepare(join(folder.dir, ARCHIVE_FILES.checkpoints));
  for (const [i, record] of records.entries()) {
    const name = `${String(i + 1).padStart(4, '0')}.json`;
    await folder.write(join(ARCHIVE_FILES.checkpoints, name), [pretty(compactionOf(record))]);
  }
  return records.length;
}

/** The recording holds all that ever happened, so it goes along only where no rewind took something back. */
async function writeTape(
  folder: ExportFolder,
  stores: ArchiveStores,
  { sessionId, app }: ExportRequest,
  hide: (line: string) => string,
): Promise<void> {
  if (stores.branches.hasRewinds(sessionId)) return;
  try {
    const text = await writeRecording(stores, sessionId, app);
    await folder.write(ARCHIVE_FILES.recording, [hide(text)]);
  } catch (error) {
    // A session that was not recorded from its start exports all the same.
    if (!(error instanceof AppError) || error.code !== 'unsupported') throw error;
  }
}

function* counted(lines: Iterable<string>, count: () => void): Generator<string> {
  for (const line of lines) {
    count();
    yield line;
  }
}

/**
 * Writes a session into a folder (M2): `chat_history.jsonl` in OpenAI's format for anybody, the other files so that it
 * can be read in again exactly. Keys are hidden. When something fails nothing of it stays.
 *
 * @throws AppError `not_found`, `conflict` (the folder holds something), `disk_full`, `io_failed`; an AbortError
 */
export async function exportSession(
  stores: ArchiveStores,
  request: ExportRequest,
  signal: AbortSignal,
): Promise<ExportReport> {
  const { sessionId, dir } = request;
  const session = stores.sessions.get(sessionId);
  if (!session) throw new AppError('not_found', 'This session does not exist (any more).');
  const hide = keyHider(request.secrets);
  const line: Compose = (value) => `${hide(JSON.stringify(value))}\n`;
  const pretty: Compose = (value) => `${hide(JSON.stringify(value, null, 2))}\n`;
  const folder = new ExportFolder(dir);
  let [messages, events] = [0, 0];
  try {
    await folder.prepare();
    const history = historyLines(stores, sessionId, line, signal);
    await folder.write(
      ARCHIVE_FILES.history,
      counted(history, () => (messages += 1)),
    );
    await folder.write(ARCHIVE_FILES.index, indexLines(stores, sessionId, line));
    const log = eventLines(stores, sessionId, line, signal);
    await folder.write(
      ARCHIVE_FILES.events,
      counted(log, () => (events += 1)),
    );
    const compactions = await writeCompactions(folder, stores, sessionId, pretty);
    await writeTape(folder, stores, request, hide);
    const summary = summaryOf(session, stores, request.app, { messages, events, compactions });
    await folder.write(ARCHIVE_FILES.summary, [pretty(summary)]);
  } catch (error) {
    await folder.discard();
    throw error;
  }
  return { dir, messages, events, files: folder.files };
}
