// Prints how well requests are classified by their words: a confusion table per field, over the labelled requests.
import './lib/require-node.mjs';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { inRoot } from './lib/paths.mjs';
import { continueOnModernNode, ensureInstalled, fail, say } from './lib/setup.mjs';

/** @typedef {typeof import('../main/core/turn/classify/report')} Report */

const FOLDER = 'main/core/turn/classify';
/** What the two sets of the labelled requests are. */
const SETS = {
  dev: 'requests the rules were made with',
  held: 'requests the rules were not made for',
};

try {
  await ensureInstalled(say);
  await continueOnModernNode(fileURLToPath(import.meta.url));
  await print();
} catch (error) {
  fail(error);
}

async function print() {
  const { runnerImport } = await import('vite');
  const { module } = await runnerImport(inRoot(`${FOLDER}/report.ts`), {
    configFile: false,
    logLevel: 'error',
  });
  const { formatReports, parseRequests, reportOn } = /** @type {Report} */ (module);
  const requests = parseRequests(readFileSync(inRoot(`${FOLDER}/data/requests.jsonl`), 'utf8'));
  for (const [set, title] of Object.entries(SETS)) {
    const chosen = requests.filter((request) => request.set === set);
    console.log(`${formatReports(`${title} (${chosen.length})`, reportOn(chosen))}\n`);
  }
}
