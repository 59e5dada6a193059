import path from 'node:path';
import { AppError } from '../../shared/error';
import type { SessionId } from '../../shared/model/ids';
import { createCore } from '../core/compose';
import type { Store } from '../core/store/types';
import type { ExportCommand } from './args';
import { baseCoreOptions } from './core-options';
import { EXIT, type ExitCode } from './exit-code';
import { cliHostPort } from './host-port';
import { watchInterrupts } from './interrupts';
import { type Io, notice } from './io';
import { plainLine } from './plain-text';

const NO_MODEL = { baseUrl: null, model: null, apiKey: null };
const ALL = 1_000_000;

/** The session with this id, or the only one whose id begins so. @throws AppError `not_found`, `bad_argument` */
function findSession(store: Store, wanted: string): SessionId {
  const known = store.sessions.get(wanted);
  if (known) return known.id;
  const fitting = store.sessions
    .list({ projectId: null, children: true, limit: ALL })
    .filter(({ id }) => wanted.length >= 4 && id.startsWith(wanted));
  const [first, second] = fitting;
  if (first && !second) return first.id;
  if (second)
    throw new AppError('bad_argument', `${fitting.length} sessions have an id that begins with ${wanted}.`);
  throw new AppError('not_found', `There is no session ${plainLine(wanted, 100)}.`, {
    hint: 'See: lathe sessions',
  });
}

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
