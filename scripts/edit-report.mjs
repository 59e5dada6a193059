// Prints what becomes of edits as models make them: accepted rightly, wrongly, or refused, per matching strategy.
import './lib/require-node.mjs';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { inRoot } from './lib/paths.mjs';
import { continueOnModernNode, ensureInstalled, fail, say } from './lib/setup.mjs';

/** @typedef {typeof import('../main/core/edit/corpus/report')} Report */

const FOLDER = 'main/core/edit/corpus';
/** What the two files of attempts are. */
const SETS = {
  slips: 'the usual slips, over snippets of many languages',
  hard: 'attempts that are easily taken for another edit',
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
  const { formatReport, judge, parseAttempts } = /** @type {Report} */ (module);
  for (const [set, title] of Object.entries(SETS)) {
    const judged = parseAttempts(readFileSync(inRoot(`${FOLDER}/${set}.jsonl`), 'utf8')).map(judge);
    console.log(`${title}\n${formatReport(judged)}\n`);
    for (const { verdict, attempt } of judged) {
      if (verdict.endsWith('wrong')) console.log(`${verdict}: ${attempt.id}`);
    }
  }
}
