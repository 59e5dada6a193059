import path from 'node:path';
import { createCore } from '../core/compose';
import type { ExportCommand } from './args';
import { baseCoreOptions } from './core-options';
import { EXIT, type ExitCode } from './exit-code';
import { findSession } from './find-session';
import { cliHostPort } from './host-port';
import { watchInterrupts } from './interrupts';
import { type Io, notice } from './io';
import { plainLine } from './plain-text';

const NO_MODEL = { baseUrl: null, model: null, apiKey: null };
/** `lathe export ID --out DIR` */
export async function exportSession(command: ExportCommand, io: Io): Promise<ExitCode> {
  const interrupts = watchInterrupts();
  const core = await createCore(baseCoreOptions(NO_MODEL, cliHostPort, io));
  try {
    core.startNotices.forEach((text) => notice(io, text));
    const id = findSession(core.store, command.session);
    const { dir, ...report } = await core.archive.exportTo(
      id,
      path.resolve(io.cwd, command.out),
      interrupts.signal,
    );
    io.stdout.write(
      command.json
        ? `${JSON.stringify({ path: dir, ...report })}\n`
        : `Wrote ${report.messages} messages and ${report.events} events to ${plainLine(dir)}\n`,
    );
    return EXIT.finished;
  } catch (error) {
    if (interrupts.signal.aborted) return EXIT.interrupted;
    throw error;
  } finally {
    await core.close();
    interrupts.release();
  }
}
