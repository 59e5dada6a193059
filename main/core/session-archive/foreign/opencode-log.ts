import { join } from 'node:path';
import type { HistoryCall, ModelMessage } from '../../model/port';
import { openForeignDatabase, type ForeignDatabase } from '../../store/foreign-database';
import type { LoggedMessage } from '../turn-maker';
import { type ForeignLog, type ForeignTool, timeOf } from './foreign-log';
import { filesBelow } from './jsonl-log';
import { argumentsText, dataUrlImage, field, type Fields, isFields, text } from './loose-fields';

type Assistant = Extract<ModelMessage, { role: 'assistant' }>;

/** Columns without which the tables are of a version that is not known here. */
const NEEDED = {
  session: ['id'],
  message: ['id', 'session_id', 'data'],
  part: ['id', 'message_id', 'session_id', 'data'],
} as const;

const isKnownVersion = (database: ForeignDatabase): boolean =>
  Object.entries(NEEDED).every(([table, columns]) => {
    const known = database.columns(table);
    return columns.every((column) => known.includes(column));
  });

function json(value: unknown): Fields | null {
  if (isFields(value)) return value;
  if (typeof value !== 'string') return null;
  try {
    const parsed: unknown = JSON.parse(value);
    return isFields(parsed) ? parsed : null;
  } catch {
    return null;
  }
}

/** One answer of the log holds several steps: text and calls up to the next `step-start` are one message of ours. */
function answers(parts: readonly Fields[], at: number): LoggedMessage[] {
  const messages: LoggedMessage[] = [];
  let answer: Assistant | null = null;
  const current = (): Assistant => {
    if (answer) return answer;
    answer = { role: 'assistant', content: '' };
    messages.push({ message: answer, at });
    return answer;
  };
  let results: LoggedMessage[] = [];
  const endStep = (): void => {
    messages.push(...results);
    [answer, results] = [null, []];
  };
  for (const part of parts) {
    const kind = text(part, 'type');
    if (kind === 'step-start') endStep();
    else if (kind === 'text' && text(part, 'text')) {
      const step = current();
      step.content = [step.content, text(part, 'text')].filter(Boolean).join('\n\n');
    } else if (kind === 'reasoning' && text(part, 'text')) current().reasoning = text(part, 'text') ?? '';
    else if (kind === 'tool') {
      const step = current();
      const call = callOf(part);
      if (!call) continue;
      step.calls = [...(step.calls ?? []), call];
      results.push(...resultOf(part, call, at));
    }
  }
  endStep();
  return messages;
}

function callOf(part: Fields): HistoryCall | null {
  const [id, name] = [text(part, 'callID'), text(part, 'tool')];
  if (id === null || name === null) return null;
  return { id, name, arguments: argumentsText(field(field(part, 'state'), 'input')) };
}

function resultOf(part: Fields, { id: callId, name }: HistoryCall, before: number): LoggedMessage[] {
  const state = field(part, 'state');
  const status = text(state, 'status');
  if (status !== 'completed' && status !== 'error') return [];
  const failed = status === 'error';
  const content = (failed ? text(state, 'error') : text(state, 'output')) ?? '';
  const at = timeOf(field(field(state, 'time'), 'end'), before);
  return [{ message: { role: 'tool', callId, name, content }, at, failed }];
}

function said(parts: readonly Fields[], at: number): LoggedMessage[] {
  // What the tool put beside the user's words is marked.
  const own = parts.filter((part) => part['synthetic'] !== true && part['ignored'] !== true);
  const content = own
    .flatMap((part) => (text(part, 'type') === 'text' ? [text(part, 'text') ?? ''] : []))
    .join('\n');
  const images = own.flatMap((part) => (text(part, 'type') === 'file' ? dataUrlImage(part['url']) : []));
  if (content.trim() === '' && images.length === 0) return [];
  return [{ message: { role: 'user', content, ...(images.length === 0 ? {} : { images }) }, at }];
}

function readSession(database: ForeignDatabase, id: string): ForeignLog | null {
  const [session] = database.all('SELECT * FROM session WHERE id = ?', id);
  if (!isFields(session)) return null;
  const rows = database.all('SELECT * FROM message WHERE session_id = ? ORDER BY id', id);
  const parts = Map.groupBy(database.all('SELECT * FROM part WHERE session_id = ? ORDER BY id', id), (row) =>
    text(row, 'message_id'),
  );
  const undone = text(json(session['revert']), 'messageID');
  const messages: LoggedMessage[] = [];
  let skipped = 0;
  for (const row of rows) {
    const [messageId, data] = [text(row, 'id'), json(field(row, 'data'))];
    if (undone !== null && messageId === undone) break;
    const before = messages.at(-1)?.at ?? 0;
    const at = timeOf(field(field(data, 'time'), 'created'), timeOf(field(row, 'time_created'), before));
    const own = (parts.get(messageId) ?? []).map((part) => json(field(part, 'data')));
    skipped += (data ? 0 : 1) + own.filter((part) => part === null).length;
    const readable = own.filter((part) => part !== null);
    if (text(data, 'role') === 'user') messages.push(...said(readable, at));
    else if (text(data, 'role') === 'assistant') messages.push(...answers(readable, at));
  }
  return { messages, title: text(session, 'title'), cwd: text(session, 'directory'), skipped };
}

/** opencode: one SQLite database; sessions of subagents are left out. */
export const opencodeLog: ForeignTool = {
  id: 'opencode',
  name: 'opencode',
  usualFolder: (env, home) => join(env['XDG_DATA_HOME'] ?? join(home, '.local', 'share'), 'opencode'),
  find: async (folder, signal) => {
    const paths = folder.endsWith('.db') ? [folder] : await filesBelow(folder, '.db', 0, signal);
    return paths
      .filter((path) => /opencode[^/\\]*\.db$/.test(path))
      .flatMap((path) => {
        using database = openForeignDatabase(path);
        if (!database || !isKnownVersion(database)) return [];
        const top = database.columns('session').includes('parent_id') ? 'WHERE parent_id IS NULL' : '';
        return database.all(`SELECT id FROM session ${top} ORDER BY id`).flatMap((row) => {
          const id = text(row, 'id');
          return id === null ? [] : [{ id, path }];
        });
      });
  },
  read: ({ id, path }) => {
    using database = openForeignDatabase(path);
    return Promise.resolve(database && isKnownVersion(database) ? readSession(database, id) : null);
  },
};
