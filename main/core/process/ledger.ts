import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { killTree, type ProcessTree } from './kill-tree';
import { markedPidsNow, markedProcesses } from './marks';

export interface LedgerEntry extends ProcessTree {
  command: string;
  /** Epoch milliseconds. */
  startedAt: number;
  /** Started to go on after the call returned. */
  background: boolean;
  logPath: string | null;
}

/** Every process tree that commands of this run have started and that may still be alive. */
export interface ProcessLedger {
  /** Goes into the environment of every command as LATHE_RUN. */
  readonly runId: string;
  add(entry: LedgerEntry): void;
  remove(mark: string): void;
  list(): readonly LedgerEntry[];
  /** Ends one tree; false when it is not in the ledger. */
  kill(mark: string): Promise<boolean>;
  /** Ends everything, also what escaped from its process group. For an orderly quit: up to 2 s, then it kills. */
  killAll(graceMs?: number): Promise<void>;
  /** Kills everything without waiting, for the `exit` event of the process. */
  killAllNow(): void;
  /** Ends what runs of dead processes left behind; returns how many processes that were. Call once at start. */
  reapOrphans(): Promise<number>;
}

interface RunRecord {
  pid: number;
  /** Start time of the process in clock ticks since boot: tells a reused number apart. */
  started: string;
}

/** Field 22 of `/proc/<pid>/stat`; '' where there is none. */
function startTicks(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}

function isAlive(record: RunRecord): boolean {
  try {
    process.kill(record.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return startTicks(record.pid) === record.started;
}

function readRecord(path: string): RunRecord | null {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof value !== 'object' || value === null || !('pid' in value) || !('started' in value))
      return null;
    return typeof value.pid === 'number' && typeof value.started === 'string'
      ? { pid: value.pid, started: value.started }
      : null;
  } catch {
    return null;
  }
}

const RUN_FILE = /^([0-9a-f-]{36})\.json$/;

/** Run ids of processes that ended without clearing up, with their files. */
function deadRuns(folder: string, ownId: string): { id: string; path: string }[] {
  return readdirSync(folder).flatMap((name) => {
    const id = RUN_FILE.exec(name)?.[1];
    if (id === undefined || id === ownId) return [];
    const path = join(folder, name);
    const record = readRecord(path);
    return record !== null && isAlive(record) ? [] : [{ id, path }];
  });
}

async function reapRun(id: string): Promise<number> {
  const mark = `LATHE_RUN=${id}`;
  const left = await markedProcesses(mark);
  if (left.length > 0) await killTree({ pid: left[0]?.group ?? 0, mark, leaderAlive: () => false }, 500);
  return left.length;
}

/**
 * Keeps the process ledger of this run. A small file in `homeDir`/runs says that the run is alive; when it died without a
 * word, the next start finds its processes by their mark and ends them.
 *
 * @param homeDir LATHE_HOME
 */
export function createProcessLedger(homeDir: string): ProcessLedger {
  const runId = randomUUID();
  const folder = join(homeDir, 'runs');
  const file = join(folder, `${runId}.json`);
  const entries = new Map<string, LedgerEntry>();
  const mark = `LATHE_RUN=${runId}`;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(file, JSON.stringify({ pid: process.pid, started: startTicks(process.pid) }), {
    mode: 0o600,
  });

  async function kill(markOfTree: string): Promise<boolean> {
    const entry = entries.get(markOfTree);
    if (entry === undefined) return false;
    await killTree(entry);
    entries.delete(markOfTree);
    return true;
  }

  return {
    runId,
    add: (entry) => void entries.set(entry.mark, entry),
    remove: (markOfTree) => void entries.delete(markOfTree),
    list: () => [...entries.values()],
    kill,
    async killAll(graceMs) {
      await Promise.all([...entries.values()].map((entry) => killTree(entry, graceMs)));
      await killTree({ pid: 0, mark, leaderAlive: () => false }, 0);
      entries.clear();
      rmSync(file, { force: true });
    },
    killAllNow() {
      for (const pid of markedPidsNow(mark)) {
        try {
          process.kill(pid, 'SIGKILL');
        } catch {
          // Already gone.
        }
      }
      rmSync(file, { force: true });
    },
    async reapOrphans() {
      let reaped = 0;
      for (const { id, path } of deadRuns(folder, runId)) {
        reaped += await reapRun(id);
        rmSync(path, { force: true });
      }
      return reaped;
    },
  };
}
