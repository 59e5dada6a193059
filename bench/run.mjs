/**
 * `npm run bench [-- --json] [--only turn,stop,history,tokens,edit,memory,session,window,review] [--runs 5]`: what Lathe costs, on a generated project of 8,000 files / 60 MB.
 * Figures are medians of one run on one machine; compare ratios, not machines.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { measureFloor } from './floor.mjs';
import { generateProject } from './gen-project.mjs';
import { measureTurn } from './turn.mjs';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    only: { type: 'string', default: 'turn,stop,history,tokens,edit,memory,session,window,review' },
    runs: { type: 'string', default: '5' },
    approve: { type: 'string', default: 'all' },
  },
});

const say = (text) => process.stderr.write(`${text}\n`);
const cli = join(ROOT, 'dist/main/cli.mjs');
const ownNode = join(ROOT, 'node_modules/node/bin/node');
const node = existsSync(ownNode) ? ownNode : process.execPath;
const project = join(ROOT, 'node_modules/.cache/bench-project');
const wanted = new Set(values.only.split(','));

if (!existsSync(join(project, 'bench/target.ts'))) {
  say('Making the project (8,000 files, 60 MB) …');
  generateProject(project);
}
const report = { floor: await measureFloor(project) };
if (wanted.has('turn')) {
  say('Turns on the command line …');
  report.turn = await measureTurn({
    node,
    cli,
    project,
    turns: 50,
    runs: Number(values.runs),
    approve: values.approve,
  });
  report.grepOverRipgrepMs = Number((report.turn.overheadMs.grep - report.floor.ripgrepMs).toFixed(2));
}
if (wanted.has('stop')) {
  say('Stop …');
  const { measureStop } = await import('./stop.mjs');
  report.stopMs = await measureStop({ node, cli, project });
}
if (wanted.has('history')) {
  say('Long turns …');
  const { measureHistory } = await import('./history.mjs');
  report.history = await measureHistory({ node, cli, project, runs: Number(values.runs) });
}
if (wanted.has('tokens')) {
  const { measureTokens } = await import('./tokens.mjs');
  report.tokens = await measureTokens(ROOT);
}
if (wanted.has('edit')) {
  const { measureEdits } = await import('./edit.mjs');
  report.edit = await measureEdits(ROOT);
}
if (wanted.has('undo')) {
  say('Undo of 200 files …');
  const { measureUndo } = await import('./undo.mjs');
  report.undo = await measureUndo(ROOT);
}
if (wanted.has('memory')) {
  say('Memory over 500 turns …');
  const { measureMemory } = await import('./memory.mjs');
  report.memory = await measureMemory({ node, cli, project });
}
if (wanted.has('session')) {
  say('A session of 5,000 messages …');
  const { measureSession } = await import('./session.mjs');
  report.session = await measureSession({ node, cli, project });
}
if (wanted.has('window')) {
  say('The window in a browser …');
  const { measureWindow } = await import('./window.mjs');
  report.window = await measureWindow({ node, cli, project });
}
if (wanted.has('review')) {
  say('A review of 300 hunks …');
  const { measureReview } = await import('./review.mjs');
  report.review = await measureReview({ node, cli });
}
process.stdout.write(`${JSON.stringify(report, null, values.json ? 0 : 2)}\n`);
