import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { AppError } from '../../shared/error';
import { createCore } from '../core/compose';
import type { Core } from '../core/core';
import { readSummary } from '../core/session-archive/archive-import';
import type { Imported, ImportTarget } from '../core/session-archive/session-archive';
import type { ForeignReport } from '../core/session-archive/foreign/foreign-import';
import type { ImportCommand, ImportTool } from './args';
import { baseCoreOptions } from './core-options';
import { EXIT, type ExitCode } from './exit-code';
import { cliHostPort } from './host-port';
import { watchInterrupts } from './interrupts';
import { type Io, notice } from './io';
import { plainLine } from './plain-text';

const NO_MODEL = { baseUrl: null, model: null, apiKey: null };

function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch (error) {
    throw new AppError('folder_missing', `There is no folder ${folder}.`, { cause: error });
  }
}

/** Where the session goes: where the command says, else to the project it came from if that is known here, else here. */
async function targetOf(core: Core, dir: string, command: ImportCommand, io: Io): Promise<ImportTarget> {
  const named = command.project === null ? null : realFolder(resolve(io.cwd, command.project));
  const own = named === null ? ((await readSummary(dir)).project?.path ?? null) : null;
  const known = own === null ? null : core.store.projects.byPath(own);
  const project = known ?? core.store.projects.ensure(named ?? realFolder(io.cwd));
  return { projectId: project.id, projectPath: project.path, mode: 'agent' };
}

function textReport({ session, messages, skipped, instructions }: Imported): string {
  const left = [
    ...(skipped > 0 ? [`${skipped} ${skipped === 1 ? 'line' : 'lines'} could not be read`] : []),
    ...(instructions > 0 ? [`${instructions} system messages left out`] : []),
  ];
  const more = left.length === 0 ? '' : ` (${left.join(', ')})`;
  return `${session.id}  ${plainLine(session.title, 60)}  ${messages} messages${more}\n`;
}

/** `lathe import DIR` and `lathe import --from TOOL [DIR]` */
export async function importSessions(command: ImportCommand, io: Io): Promise<ExitCode> {
  const interrupts = watchInterrupts();
  const core = await createCore(baseCoreOptions(NO_MODEL, cliHostPort, io));
  try {
    core.startNotices.forEach((text) => notice(io, text));
    if (command.from === null) await importFolder(core, command, io, interrupts.signal);
    else await importForeign(core, command, command.from, io, interrupts.signal);
    core.indexer.kick();
    await core.indexer.idle();
    return EXIT.finished;
  } catch (error) {
    if (interrupts.signal.aborted) return EXIT.interrupted;
    throw error;
  } finally {
    await core.close();
    interrupts.release();
  }
}

async function importFolder(core: Core, command: ImportCommand, io: Io, signal: AbortSignal): Promise<void> {
  const dir = resolve(io.cwd, command.folder ?? '.');
  const done = await core.archive.importFrom(dir, await targetOf(core, dir, command, io), signal);
  const { session, ...counts } = done;
  io.stdout.write(
    command.json
      ? `${JSON.stringify({ id: session.id, title: session.title, ...counts })}\n`
      : textReport(done),
  );
}

async function importForeign(
  core: Core,
  command: ImportCommand,
  tool: ImportTool,
  io: Io,
  signal: AbortSignal,
): Promise<void> {
  const path = command.folder === null ? null : resolve(io.cwd, command.folder);
  const onlyFolder = command.project === null ? null : realFolder(resolve(io.cwd, command.project));
  const report = await core.archive.importForeign({ tool, path, onlyFolder }, signal);
  for (const problem of report.problems) notice(io, plainLine(problem));
  io.stdout.write(command.json ? `${JSON.stringify({ tool, ...report })}\n` : foreignText(core, report));
}

function foreignText(core: Core, { imported, known, empty, failed, skipped }: ForeignReport): string {
  const lines = imported.flatMap((id) => {
    const session = core.store.sessions.get(id);
    return session ? [`${id}  ${plainLine(session.title, 60)}  ${plainLine(session.projectPath)}`] : [];
  });
  const facts = [
    `${imported.length} new`,
    ...(known > 0 ? [`${known} were here already`] : []),
    ...(empty > 0 ? [`${empty} without a message`] : []),
    ...(failed > 0 ? [`${failed} could not be read`] : []),
    ...(skipped > 0 ? [`${skipped} records left out`] : []),
  ];
  return `${[...lines, facts.join(', ')].join('\n')}\n`;
}
