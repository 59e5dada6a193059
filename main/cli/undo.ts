import path from 'node:path';
import type { ChangeSet, PathChange, UndoResult } from '../../shared/model/change';
import type { SessionId } from '../../shared/model/ids';
import { createCore } from '../core/compose';
import type { Core } from '../core/core';
import { sessionFolder } from '../core/session/session-folder';
import type { LogCommand, RedoCommand, UndoCommand } from './args';
import { baseCoreOptions } from './core-options';
import { EXIT, type ExitCode } from './exit-code';
import { findSession } from './find-session';
import { cliHostPort } from './host-port';
import { type Io, notice } from './io';
import { plainLine } from './plain-text';

const NO_MODEL = { baseUrl: null, model: null, apiKey: null };

/** Opens the project of a session, lets `work` use it, and closes everything. */
export async function withSession<T>(
  command: { session: string; project: string | null },
  io: Io,
  work: (core: Core, sessionId: SessionId) => T | Promise<T>,
): Promise<T> {
  const core = await createCore(baseCoreOptions(NO_MODEL, cliHostPort, io));
  try {
    core.startNotices.forEach((text) => notice(io, text));
    const id = findSession(core.store, command.session);
    const own = sessionFolder(core.store, core.catalog.get(id));
    await core.openProject(command.project === null ? own : path.resolve(io.cwd, command.project));
    return await work(core, id);
  } finally {
    await core.close();
  }
}

/** `lathe undo --session ID [--turn N]`: files only, the chat stays. */
export async function undo(command: UndoCommand, io: Io): Promise<ExitCode> {
  return await withSession(command, io, async (core, sessionId) => {
    const { turnId, number } = core.changes.undo.turnToUndo(sessionId, command.turn);
    const result = await core.changes.undo.undo({ kind: 'turn', sessionId, turnId });
    return answer(result, { turn: number }, `Took back turn ${number}.`, command.json, io);
  });
}

/** `lathe redo --session ID`: takes the last undo back. */
export async function redo(command: RedoCommand, io: Io): Promise<ExitCode> {
  return await withSession(command, io, async (core, sessionId) => {
    const result = await core.changes.undo.redo(core.changes.undo.undoToRedo(sessionId));
    return answer(result, {}, 'Took the last undo back.', command.json, io);
  });
}

/** `lathe log --session ID`: what changed files, oldest first. */
export async function changeLog(command: LogCommand, io: Io): Promise<ExitCode> {
  return await withSession(command, io, (core, sessionId) => {
    const entries = core.changes.undo.sessionLog(sessionId);
    const list = entries.map(({ set, turn }) => ({
      ...{ id: set.id, at: set.at, turn, by: set.author.kind, label: set.label, undoneBy: set.undoneBy },
      files: set.changes.map((change) => ({ path: change.path, change: kindOf(change) })),
    }));
    const text = entries.length === 0 ? 'No files were changed.\n' : entries.map(logLine).join('');
    io.stdout.write(command.json ? `${JSON.stringify(list)}\n` : text);
    return EXIT.finished;
  });
}

function answer(
  result: UndoResult,
  facts: { turn?: number },
  headline: string,
  json: boolean,
  io: Io,
): ExitCode {
  io.stdout.write(json ? `${JSON.stringify({ ...facts, ...result })}\n` : textOf(result, headline));
  const isWhole = result.files.every(({ outcome }) => outcome !== 'conflict' && outcome !== 'not_kept');
  return isWhole ? EXIT.finished : EXIT.failed;
}

function textOf({ files, cannot }: UndoResult, headline: string): string {
  const lines = files.map(({ path: name, outcome, why }) => {
    const reason = why === '' ? '' : ` – ${plainLine(why)}`;
    return `  ${outcome.replace('_', ' ').padEnd(9)} ${plainLine(name)}${reason}`;
  });
  const open = files.filter(({ outcome }) => outcome === 'conflict').length;
  const conflicts =
    open === 0 ? [] : [`${open} in conflict: left as they are. Resolve them in the window (lathe serve).`];
  return `${[headline, ...lines, ...conflicts, ...cannot.map((text) => plainLine(text))].join('\n')}\n`;
}

function kindOf({ before, after, movedFrom }: PathChange): 'create' | 'delete' | 'modify' | 'move' {
  if (movedFrom !== null) return 'move';
  if (before === null) return 'create';
  return after === null ? 'delete' : 'modify';
}

function logLine({ set, turn }: { set: ChangeSet; turn: number | null }): string {
  const time = new Date(set.at).toISOString().slice(0, 19).replace('T', ' ');
  const where = turn === null ? '' : `turn ${turn}`;
  const undone = set.undoneBy === null ? '' : '  (taken back)';
  const files = `${set.changes.length} file${set.changes.length === 1 ? '' : 's'}`;
  return `${set.id.slice(0, 8)}  ${time}  ${where.padEnd(7)}  ${set.author.kind.padEnd(7)}  ${plainLine(set.label, 60)}  ${files}${undone}\n`;
}
