// The command line out of a checkout: sets up what is missing, then is `lathe`. Everything about the setting up goes to
// stderr, because stdout belongs to the command (`--json`).
import './lib/require-node.mjs';
import { becomeCli, userDirectory } from './lib/cli.mjs';
import { ensureReady, fail, say } from './lib/setup.mjs';

try {
  // Only `serve` shows a window; nothing else should wait for one to be built.
  await ensureReady(say, process.argv[2] === 'serve' ? ['main', 'renderer'] : ['main']);
  process.chdir(userDirectory('lathe'));
  await becomeCli(process.argv.slice(2));
} catch (error) {
  fail(error);
}
