import path from 'node:path';
import { createHandlers } from '../api/handlers';
import { createCore } from '../core/compose';
import { webHostPort } from '../web/host-port';
import { startWebHost } from '../web/web-host';
import { findAppPaths } from './app-paths';
import type { ServeCommand } from './args';
import { baseCoreOptions } from './core-options';
import { EXIT, type ExitCode } from './exit-code';
import { watchInterrupts } from './interrupts';
import { type Io, notice } from './io';
import { openBrowser } from './open-browser';
import { onUsualPort } from './usual-port';

/** `lathe serve`: the window in a browser, until a signal ends it. */
export async function serve(command: ServeCommand, io: Io): Promise<ExitCode> {
  const interrupts = watchInterrupts();
  const core = await createCore(baseCoreOptions(command, webHostPort, io));
  try {
    core.startNotices.forEach((text) => notice(io, text));
    if (command.project !== null) await core.openProject(path.resolve(io.cwd, command.project));
    const handlers = createHandlers(core);
    const rendererDir = findAppPaths().renderer;
    const host = await onUsualPort(core, command.port, (port) =>
      startWebHost({ handlers, port, rendererDir, logger: core.log }),
    );
    announce(command, host, io);
    await aborted(interrupts.signal);
    await host.close();
    return EXIT.finished;
  } finally {
    await core.close();
    interrupts.release();
  }
}

function announce(command: ServeCommand, host: { url: string; token: string; port: number }, io: Io): void {
  const { url, token, port } = host;
  if (command.json) io.stdout.write(`${JSON.stringify({ url, token, port })}\n`);
  else io.stdout.write(`Lathe is ready (this address works once; Ctrl-C ends it):\n  ${url}\n`);
  if (!command.open) return;
  openBrowser(url, () => notice(io, 'no browser could be started; open the address yourself'));
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
