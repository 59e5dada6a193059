// Checks the code's types and lints it, both on the same TypeScript programs, which halves what the two cost apart.
// `types` or `lint` as argument: only that one.
import './lib/require-node.mjs';
import { fileURLToPath } from 'node:url';
import { continueOnModernNode, ensureInstalled, fail, say } from './lib/setup.mjs';

try {
  await ensureInstalled(say);
  await continueOnModernNode(fileURLToPath(import.meta.url));
  const { checkCode } = await import('./lib/code/check-code.mjs');
  const [only] = process.argv.slice(2);
  const { report, ok } = await checkCode({ types: only !== 'lint', lint: only !== 'types' });
  if (report) console.log(report);
  process.exitCode = ok ? 0 : 1;
} catch (error) {
  fail(error);
}
