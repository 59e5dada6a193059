/** What a step costs late in a turn against early in it, and what it costs at a history of 100,000 tokens. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startModelServer } from './model-server.mjs';
import { median, quantile, round } from './statistics.mjs';

const TARGET = 'bench/target.ts';
/** Read-only and small: what is measured is the harness around it. */
const smallRead = (n) => ['read_file', { path: TARGET, start_line: 1 + (n % 90), end_line: 5 + (n % 90) }];
/** About 4,000 tokens each. */
const bigRead = (n) => ['read_file', { path: TARGET, start_line: 1 + (n % 40), end_line: 300 }];

const LONG_TURN = 56;
const HISTORY_TOKENS = 100_000;
const FILLING = 42;
const MEASURED = 20;

async function play({ node, cli, project, turns, callFor }) {
  const home = mkdtempSync(join(tmpdir(), 'lathe-bench-'));
  // Room for the whole history: nothing is to be shortened while it is measured.
  writeFileSync(join(home, 'settings.jsonc'), '{ "chat.context.defaultWindow": 1000000 }');
  const server = await startModelServer({ turns, callFor, words: 5 });
  const args = ['run', '--project', project, '--prompt', 'Do the scripted task.', '--base-url', server.url];
  args.push('--model', 'mock', '--api-key', 'bench', '--approve', 'none', '--trust', '--max-steps', '200');
  const child = spawn(node, [cli, ...args], { env: { ...process.env, LATHE_HOME: home }, stdio: 'ignore' });
  const code = await new Promise((resolve) => child.on('exit', resolve));
  await server.close();
  rmSync(home, { recursive: true, force: true });
  if (code !== 0 || server.records.length !== turns + 1)
    throw new Error(`The turn did not run through (exit ${code}, ${server.records.length} requests).`);
  return server.records;
}

const overhead = (records) => records.map((record) => record.sincePrevious);

/** @returns medians in ms over all runs; `ratio` is that of step 50 to step 1 */
export async function measureHistory({ node, cli, project, runs }) {
  const early = [];
  const late = [];
  const full = [];
  let tokens = 0;
  for (let run = 0; run < runs; run += 1) {
    const long = await play({ node, cli, project, turns: LONG_TURN, callFor: smallRead });
    // The first step of a process loads code; from the second one on steps are alike.
    early.push(...overhead(long.slice(2, 12)));
    late.push(...overhead(long.slice(-11, -1)));
    const filled = await play({
      ...{ node, cli, project, turns: FILLING + MEASURED },
      callFor: (n) => (n < FILLING ? bigRead(n) : smallRead(n)),
    });
    const last = filled.slice(-MEASURED, -1);
    tokens = Math.round(last[0].bytes / 4);
    full.push(...overhead(last));
  }
  if (tokens < HISTORY_TOKENS) throw new Error(`The history has only ${tokens} tokens.`);
  const [first, fiftieth] = [median(early), median(late)];
  return {
    earlyStepMs: round(first, 2),
    step50Ms: round(fiftieth, 2),
    ratio: round(fiftieth / first, 2),
    historyTokens: tokens,
    atHistoryMs: round(median(full), 2),
    atHistoryP95Ms: round(quantile(full, 0.95), 2),
  };
}
