import { realpathSync } from 'node:fs';
import path from 'node:path';
import { AppError } from '../../shared/error';
import type { SessionSummary } from '../../shared/model/session';
import { ensureDataDir } from '../core/settings/data-dir';
import { openStore } from '../core/store/open-store';
import type { SessionsCommand } from './args';
import { EXIT, type ExitCode } from './exit-code';
import { type Io, notice } from './io';
import { plainLine } from './plain-text';

/** More than anybody has; the store's own default is made for a list on screen. */
const MAX_SESSIONS = 100_000;

/** `lathe sessions`: reads the store alone, so that it is quick and opens no project. */
export async function sessions(command: SessionsCommand, io: Io): Promise<ExitCode> {
  const folder = command.project === null ? null : realFolder(path.resolve(io.cwd, command.project));
  const store = openStore({ dataDir: ensureDataDir(io.env) });
  try {
    if (store.opened.notice !== null) notice(io, store.opened.notice);
    const all = store.sessions.list({ projectId: null, limit: MAX_SESSIONS });
    const list = all.filter(({ projectPath }) => folder === null || projectPath === folder);
    io.stdout.write(command.json ? jsonList(list) : textList(list));
    return EXIT.finished;
  } finally {
    store.close();
  }
}

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
