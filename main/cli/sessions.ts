import { realpathSync } from 'node:fs';
import path from 'node:path';
import { AppError } from '../../shared/error';
import type { SessionFound } from '../../shared/contract/session';
import type { SessionSummary } from '../../shared/model/session';
import { sessionFolder } from '../core/session/session-folder';
import { searchSessions } from '../core/session/session-search';
import { ensureDataDir } from '../core/settings/data-dir';
import { openStore } from '../core/store/open-store';
import type { Store, StoredProject } from '../core/store/types';
import type { SessionsCommand } from './args';
import { EXIT, type ExitCode } from './exit-code';
import { type Io, notice } from './io';
import { plainLine } from './plain-text';

/** More than anybody has; the store's own default is made for a list on screen. */
const MAX_SESSIONS = 100_000;
/** How long a search waits for messages that are not indexed yet. */
const MAX_INDEX_MS = 5_000;

/** `lathe sessions`: reads the store alone, so that it is quick and opens no project. */
export async function sessions(command: SessionsCommand, io: Io): Promise<ExitCode> {
  const folder = command.project === null ? null : realFolder(path.resolve(io.cwd, command.project));
  const store = openStore({ dataDir: ensureDataDir(io.env) });
  try {
    if (store.opened.notice !== null) notice(io, store.opened.notice);
    if (command.search !== null) {
      io.stdout.write(searchAnswer(store, command.search, folder, command.json, io));
      return EXIT.finished;
    }
    const project = folder === null ? null : store.projects.byPath(folder);
    const all = store.sessions.list({ projectId: null, limit: MAX_SESSIONS });
    const list = all
      .filter((each) => isIn(folder, project, each))
      .map((each) => ({ ...each, projectPath: sessionFolder(store, each) }));
    io.stdout.write(command.json ? jsonList(list) : textList(list));
    return EXIT.finished;
  } finally {
    store.close();
  }
}

/** Old messages that are not indexed yet are, as far as that is quick. */
function readyIndex(store: Store, io: Io): void {
  const startedAt = performance.now();
  while (store.search.backfill()) {
    if (performance.now() - startedAt < MAX_INDEX_MS) continue;
    notice(io, 'Older messages are still being indexed; more may be found in a moment.');
    return;
  }
}

function searchAnswer(store: Store, words: string, folder: string | null, json: boolean, io: Io): string {
  readyIndex(store, io);
  const project = folder === null ? null : store.projects.byPath(folder);
  const found = searchSessions(store, words, null).filter(({ session }) => isIn(folder, project, session));
  if (json) return `${JSON.stringify(found.map(jsonFound))}\n`;
  return found.length === 0 ? 'Nothing found.\n' : found.map(textFound).join('\n');
}

/** A folder that Lathe knows has all sessions of its project, wherever they were written. */
const isIn = (
  folder: string | null,
  project: StoredProject | null,
  { projectId, projectPath }: SessionSummary,
): boolean => folder === null || (project ? projectId === project.id : projectPath === folder);

const jsonFound = ({ session, projectPath, hits, count }: SessionFound) => ({
  id: session.id,
  title: session.title,
  project: projectPath,
  updatedAt: session.updatedAt,
  count,
  hits: hits.map(({ position, role, at, text }) => ({ position, role, at, text })),
});

const textFound = ({ session, projectPath, hits, count }: SessionFound): string => {
  const more = count > hits.length ? [`    … ${count - hits.length} more`] : [];
  const lines = [...hits.map(({ role, text }) => `    ${role}: ${plainLine(text, 200)}`), ...more];
  return [textList([{ ...session, projectPath }]).trimEnd(), ...lines, ''].join('\n');
};

function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch (error) {
    throw new AppError('folder_missing', `There is no folder ${folder}.`, { cause: error });
  }
}

const jsonList = (list: readonly SessionSummary[]): string =>
  `${JSON.stringify(
    list.map(({ id, title, projectPath, updatedAt }) => ({ id, title, project: projectPath, updatedAt })),
  )}\n`;

const textList = (list: readonly SessionSummary[]): string =>
  list.length === 0
    ? 'No sessions yet.\n'
    : list
        .map(({ id, title, projectPath, updatedAt }) => {
          const time = new Date(updatedAt).toISOString().slice(0, 16).replace('T', ' ');
          return `${id}  ${time}  ${plainLine(title, 60)}  ${plainLine(projectPath)}\n`;
        })
        .join('');
