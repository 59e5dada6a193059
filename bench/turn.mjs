/** A scripted turn through the command line: what the harness itself costs between two model requests. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { startModelServer } from './model-server.mjs';
import { median, quantile, round } from './statistics.mjs';

/** Peak resident memory of a living process in MB; Linux only, null elsewhere. */
function peakMb(pid) {
  try {
    const line = readFileSync(`/proc/${pid}/status`, 'utf8').match(/VmHWM:\s+(\d+)/);
    return line ? Number(line[1]) / 1024 : null;
  } catch {
    return null;
  }
}

async function runOnce({ node, cli, project, turns, approve }) {
  execFileSync('git', ['-C', project, 'checkout', '-q', '--', '.']);
  const home = mkdtempSync(join(tmpdir(), 'lathe-bench-'));
  const server = await startModelServer({ turns });
  const args = ['run', '--project', project, '--prompt', 'Do the scripted task.', '--base-url', server.url];
  args.push('--model', 'mock', '--api-key', 'bench', '--approve', approve, '--trust', '--max-steps', '200');
  const startedAt = performance.timeOrigin + performance.now();
  const child = spawn(node, [cli, ...args], {
    env: { ...process.env, LATHE_HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let peak = 0;
  const watch = setInterval(() => (peak = Math.max(peak, peakMb(child.pid) ?? 0)), 20);
  child.stdout.on('data', (data) => (output += data));
  child.stderr.on('data', (data) => (output += data));
  const code = await new Promise((resolve) => child.on('exit', resolve));
  const endedAt = performance.timeOrigin + performance.now();
  clearInterval(watch);
  await server.close();
  rmSync(home, { recursive: true, force: true });
  const { records } = server;
  if (code !== 0 || records.length !== turns + 1) {
    throw new Error(
      `The turn did not run through (exit ${code}, ${records.length} requests):\n${output.slice(-2000)}`,
    );
  }
  return { startedAt, endedAt, records, peak };
}

/**
 * @returns figures in ms and MB, each the median over all iterations of all runs unless it says otherwise
 */
export async function measureTurn({ node, cli, project, turns, runs, approve }) {
  const all = [];
  await runOnce({ node, cli, project, turns: 4, approve });
  for (let run = 0; run < runs; run += 1) all.push(await runOnce({ node, cli, project, turns, approve }));
  const steps = all.flatMap(({ records }) => records.slice(1));
  const overhead = (op) =>
    round(median(steps.filter((step) => step.previousOp === op).map((step) => step.sincePrevious)), 2);
  const since = (slice) =>
    round(median(all.flatMap(({ records }) => slice(records)).map((step) => step.sincePrevious)), 2);
  return {
    turns,
    runs,
    overheadMs: {
      read: overhead('read'),
      grep: overhead('grep'),
      edit: overhead('edit'),
      shell: overhead('shell'),
    },
    overheadAllMs: round(median(steps.map((step) => step.sincePrevious)), 2),
    overheadP95Ms: round(
      quantile(
        steps.map((step) => step.sincePrevious),
        0.95,
      ),
      2,
    ),
    firstTenStepsMs: since((records) => records.slice(1, 11)),
    lastTenStepsMs: since((records) => records.slice(-10)),
    startToFirstRequestMs: round(
      median(all.map(({ startedAt, records }) => records[0].arrivedAt - startedAt)),
    ),
    lastResponseToExitMs: round(median(all.map(({ endedAt, records }) => endedAt - records.at(-1).endedAt))),
    peakMemoryMb: round(median(all.map(({ peak }) => peak))),
    firstRequestBytes: median(all.map(({ records }) => records[0].bytes)),
  };
}
