import { treeGroupAlive } from './kill-tree';
import type { ProcessLedger } from './ledger';
import { createOutputLog } from './output-log';
import { spawnCommand, type CommandStart } from './spawn-command';

export interface BackgroundOptions extends Omit<CommandStart, 'runId'> {
  /** Its output goes here, up to 10 MB. */
  logPath: string;
  ledger: ProcessLedger;
}

/**
 * Starts a command that goes on after the call; `ended` resolves when its shell and its pipes are closed. It is in the ledger until it ends, and killed on quit.
 *
 * @throws AppError as `spawnCommand`
 */
export async function startBackground(
  options: BackgroundOptions,
): Promise<{ pid: number; mark: string; ended: Promise<void> }> {
  const { ledger, logPath } = options;
  const running = await spawnCommand({ ...options, runId: ledger.runId });
  const log = createOutputLog(logPath, -1);
  log.push(Buffer.alloc(0));
  const entry = { ...running, command: options.command, startedAt: Date.now(), background: true, logPath };
  ledger.add(entry);
  const streams = [running.stdout, running.stderr];
  const closed = streams.map((stream) => {
    stream.on('data', (chunk: Buffer) => {
      log.push(chunk);
    });
    stream.once('error', () => undefined);
    return new Promise<void>((resolve) => stream.once('close', resolve));
  });
  const ended = Promise.all([running.exit, ...closed]).then(() => {
    log.close();
    if (!treeGroupAlive(running)) ledger.remove(running.mark);
  });
  running.hold(false);
  return { pid: running.pid, mark: running.mark, ended };
}
