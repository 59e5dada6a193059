import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { processRuns } from '../process/process-runs';

export type NamespaceName = 'user' | 'mnt' | 'net' | 'pid' | 'ipc';

/** A process that keeps namespaces alive so that each command only has to join them. */
export interface Holder {
  /** It lives in a user namespace of its own. */
  ownUser: boolean;
  /**
   * Path of an open handle on each namespace. Handles instead of a process number: were the holder gone, its number could
   * belong to a process outside, and joining that would be no confinement; joining a dead namespace fails.
   */
  path(namespace: NamespaceName): string;
  /** False once somebody has killed it, and the kernel everything in its PID namespace. */
  isAlive(): boolean;
  /** Settles when it has ended. */
  ended: Promise<void>;
  close(): void;
}

const READY_MS = 3000;

async function ready(child: ChildProcess): Promise<boolean> {
  let text = '';
  const said = new Promise<boolean>((resolve) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes('ready')) resolve(true);
    });
    child.once('exit', () => {
      resolve(false);
    });
    child.once('error', () => {
      resolve(false);
    });
  });
  const timer = new AbortController();
  const late = delay(READY_MS, false, { signal: timer.signal }).catch(() => false);
  const outcome = await Promise.race([said, late]);
  timer.abort();
  return outcome;
}

/** The first child of a process: the one that lives in the new PID namespace. */
function firstChild(pid: number): number | null {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  const first = Number(children[0]);
  return Number.isInteger(first) && first > 0 ? first : null;
}

function openNamespaces(pid: number): Record<NamespaceName, number> {
  const open = (name: NamespaceName): number => openSync(`/proc/${pid}/ns/${name}`, 'r');
  return { user: open('user'), mnt: open('mnt'), net: open('net'), pid: open('pid'), ipc: open('ipc') };
}

function unrefStreams(child: ChildProcess): void {
  child.unref();
  for (const stream of [child.stdin, child.stdout]) {
    if (stream !== null && 'unref' in stream && typeof stream.unref === 'function')
      Reflect.apply(stream.unref, stream, []);
  }
}

/**
 * Starts a program that makes namespaces, prints "ready" and then waits for the end of its input. Its input is a pipe from
 * this process: when this process dies, however that happens, the holder ends and the kernel ends everything in its PID namespace.
 *
 * @returns null when it did not get ready
 */
export async function startHolder(argv: readonly string[]): Promise<Holder | null> {
  const [program = '', ...args] = argv;
  const child = spawn(program, args, {
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: true,
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
  });
  child.stdin.on('error', () => undefined);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const close = (): void => {
    child.stdin.destroy();
    child.kill('SIGKILL');
  };
  if (!(await ready(child)) || child.pid === undefined) {
    close();
    return null;
  }
  try {
    const pid = firstChild(child.pid);
    if (pid === null) throw new Error('no child');
    const handles = openNamespaces(pid);
    const open = Object.values(handles);
    const ownUser = readlinkSync('/proc/self/ns/user') !== readlinkSync(`/proc/${pid}/ns/user`);
    unrefStreams(child);
    return {
      ownUser,
      path: (namespace) => `/proc/${process.pid}/fd/${handles[namespace]}`,
      isAlive: () => child.exitCode === null && child.signalCode === null && processRuns(pid),
      ended,
      close() {
        close();
        for (const handle of open.splice(0)) closeSync(handle);
      },
    };
  } catch {
    close();
    return null;
  }
}
