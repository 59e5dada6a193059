/** Whether the host keeps what it no longer needs: its memory over 500 turns, in sessions of 10 turns each. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fillSession } from './fill-session.mjs';
import { startHost } from './host.mjs';
import { startModelServer } from './model-server.mjs';
import { median, round } from './statistics.mjs';

const SESSIONS = 50;
const TURNS_PER_SESSION = 10;
/** The first sessions load code and fill caches (a host keeps twelve sessions at hand); they are no measure. */
const WARM_UP = 14;
/** Sessions whose median stands for the beginning and for the end. */
const SPAN = 5;

const residentMb = (pid) => {
  const kb = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kb) / 1024;
};

/** @returns {Promise<{ beginMb: number, endMb: number, growth: number } | null>} null where the system does not say */
export async function measureMemory({ node, cli, project }) {
  if (process.platform !== 'linux') return null;
  const home = mkdtempSync(join(tmpdir(), 'lathe-bench-'));
  const model = await startModelServer({ turns: 0 });
  const host = await startHost({ node, cli, project, home, model });
  try {
    const samples = [];
    for (let n = 0; n < SESSIONS; n += 1) {
      await fillSession(host, `memory ${n}`, TURNS_PER_SESSION * 2);
      samples.push(residentMb(host.pid));
    }
    const begin = median(samples.slice(WARM_UP, WARM_UP + SPAN));
    const end = median(samples.slice(-SPAN));
    return { beginMb: round(begin), endMb: round(end), growth: round(end / begin) };
  } finally {
    await host.stop();
    await model.close();
    rmSync(home, { recursive: true, force: true });
  }
}
