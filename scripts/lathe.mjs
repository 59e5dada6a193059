// The command line out of a checkout: sets up what is missing, then is `lathe`. Everything about the setting up goes to
// stderr, because stdout belongs to the command (`--json`).
import './lib/require-node.mjs';
import { becomeCli, userDirectory } from './lib/cli.mjs';
import { ensureReady, fail, say } from './lib/setup.mjs';

try {
  await ensureReady(say);
  process.chdir(userDirectory('lathe'));
  await becomeCli(process.argv.slice(2));
} catch (error) {
  fail(error);
}
