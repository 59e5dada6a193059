import { EXIT } from './exit-code';
import { processIo } from './io';
import { main } from './main';

/** What a forgotten timer or socket may add to the life of the process. */
const LINGER_MS = 300;

/** Runs the command line as this process: writes to its streams and lets it end. */
export async function processMain(argv: readonly string[]): Promise<void> {
  const io = processIo();
  // A reader that has gone (`lathe run … | head`) is no fault; there is nobody left to tell.
  io.stdout.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? EXIT.interrupted : EXIT.failed);
  });
  const code = await main(argv, io);
  await new Promise((resolve) => io.stdout.write('', resolve));
  await new Promise((resolve) => io.stderr.write('', resolve));
  // process.exit waits for V8's compiler threads while they may wait for the main thread to collect garbage: seen to hang
  // for ever with Node 24. A process that ends by itself does not; what still holds it is given a moment.
  process.exitCode = code;
  setTimeout(() => process.exit(code), LINGER_MS).unref();
}
