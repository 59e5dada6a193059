import { EXIT } from './exit-code';
import { processIo } from './io';
import { main } from './main';

/** Runs the command line as this process: writes to its streams and ends it. */
export async function processMain(argv: readonly string[]): Promise<never> {
  const io = processIo();
  // A reader that has gone (`lathe run … | head`) is no fault; there is nobody left to tell.
  io.stdout.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? EXIT.interrupted : EXIT.failed);
  });
  const code = await main(argv, io);
  // Nothing may hold the process: a forgotten timer or socket would make scripts wait. Output is flushed first.
  await new Promise((resolve) => io.stdout.write('', resolve));
  await new Promise((resolve) => io.stderr.write('', resolve));
  process.exit(code);
}
