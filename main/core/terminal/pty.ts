import { closeSync, constants, openSync, readFileSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { IPty } from 'node-pty';
import { dropUnread } from './unread-input';
import { INTERRUPT, WriteQueue } from './write-queue';

export interface PtyOptions {
  file: string;
  args: string[];
  /** Absolute. */
  cwd: string;
  env: Record<string, string>;
  cols: number;
  rows: number;
  onData: (text: string) => void;
  /** Once, after the last output. `signal` is 0 when none ended it. */
  onExit: (exit: { exitCode: number; signal: number }) => void;
}

/** No output for this long after the exit means that all of it was read. */
const QUIET_MS = 40;
/** A background program that keeps writing does not keep the exit from being reported. */
const DRAIN_LIMIT_MS = 1000;
const KILL_GRACE_MS = 500;
const LOOK_MS = 20;
/** How long Ctrl-C may wait behind a full input. */
const STUCK_MS = 50;
const FULL_WAIT_MS = 5;
/** Fewer bytes than this leave room for Ctrl-C, read or not (N_TTY_BUF_SIZE of Linux is 4,096). */
const ROOM_BYTES = 4_000;

/** The stream behind a PTY on Unix. It is no part of the package's typed surface, so it is checked before use. */
function socketOf(pty: IPty): Socket | null {
  const socket: unknown = Reflect.get(pty, '_socket');
  return process.platform !== 'win32' && socket instanceof Socket ? socket : null;
}

/**
 * Holds the terminal's other end open. On Linux the runtime takes a short read plus "hung up" for the end of a stream, which
 * for PTYs drops what a fast program wrote last; while we hold the other end there is no "hung up".
 */
function holdOtherEnd(pty: IPty): number | null {
  const path: unknown = Reflect.get(pty, '_pty');
  if (process.platform !== 'linux' || typeof path !== 'string') return null;
  try {
    return openSync(path, constants.O_RDWR | constants.O_NOCTTY);
  } catch {
    return null;
  }
}

/** The descriptor that takes the program's input on Unix; it is non-blocking. */
function inputFdOf(pty: IPty, socket: Socket | null): number | null {
  const fd: unknown = Reflect.get(pty, '_fd');
  return socket !== null && typeof fd === 'number' ? fd : null;
}

/** How many bytes the terminal took; 0 when its input is full. A terminal that is gone takes everything. */
function writeSome(fd: number, bytes: Buffer): number {
  try {
    return writeSync(fd, bytes);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EAGAIN' ? 0 : bytes.length;
  }
}

/** Process group in the foreground of the terminal that `pid` leads; null when unknown. */
function foregroundGroup(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const group = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[5]);
    return group > 1 ? group : null;
  } catch {
    return null;
  }
}

/** False when no process of the group is left. Signal 0 only asks. */
function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-group, signal);
    return true;
  } catch {
    return false;
  }
}

/** Hangs up on process groups; what is left after half a second is killed. */
async function endGroups(groups: readonly number[]): Promise<void> {
  let left = groups.filter((group) => signalGroup(group, 'SIGHUP'));
  for (let waited = 0; left.length > 0 && waited < KILL_GRACE_MS; waited += LOOK_MS) {
    await delay(LOOK_MS);
    left = left.filter((group) => signalGroup(group, 0));
  }
  for (const group of left) signalGroup(group, 'SIGKILL');
}

/** One running program on a pseudo-terminal. */
export class Pty {
  readonly #pty: IPty;
  readonly #socket: Socket | null;
  readonly #inputFd: number | null;
  readonly #queue: WriteQueue;
  #otherEnd: number | null;
  /** Bytes typed since the last Ctrl-C. */
  #typed = 0;
  #exited = false;
  #draining = false;

  private constructor(pty: IPty, options: PtyOptions) {
    this.#pty = pty;
    this.#socket = socketOf(pty);
    this.#inputFd = inputFdOf(pty, this.#socket);
    this.#otherEnd = holdOtherEnd(pty);
    this.#queue = new WriteQueue((piece, done) => this.#send(piece, done));
    pty.onData(options.onData);
    pty.onExit(({ exitCode, signal }) => {
      this.#ended();
      options.onExit({ exitCode, signal: signal ?? 0 });
    });
    if (this.#socket) this.#drainBeforeDestroy(this.#socket);
  }

  /** @throws Error when the program can't be started */
  static async start(options: PtyOptions): Promise<Pty> {
    const { spawn } = await import('node-pty');
    const { file, args, cwd, env, cols, rows } = options;
    const pty = spawn(file, args, { name: 'xterm-256color', cwd, env, cols, rows });
    return new Pty(pty, options);
  }

  get pid(): number {
    return this.#pty.pid;
  }

  /** Characters that the program has not taken yet. */
  get waitingChars(): number {
    return this.#queue.waitingChars;
  }

  write(text: string): void {
    if (this.#exited) return;
    if (text === INTERRUPT) this.#watchInterrupt();
    this.#queue.add(text);
  }

  /**
   * A terminal whose input is full takes no Ctrl-C either. As long as the key has not been taken, each program that comes
   * to the foreground gets once the signal that the key stands for; the shell itself will read on. And a key that was taken
   * may still lie unseen behind some kilobytes that a program does not read.
   */
  #watchInterrupt(): void {
    const taken = this.#queue.takenPieces + (this.#queue.busy ? 2 : 1);
    const signalled = new Set([this.pid]);
    const first = foregroundGroup(this.pid);
    const mayBeFull = this.#typed >= ROOM_BYTES;
    this.#typed = 0;
    const look = (): void => {
      if (this.#exited) return;
      const front = foregroundGroup(this.pid);
      if (this.#queue.takenPieces >= taken) {
        if (mayBeFull && front !== null && front === first && !signalled.has(front))
          void this.#freeInterrupt();
        return;
      }
      if (front !== null && !signalled.has(front)) {
        signalled.add(front);
        signalGroup(front, 'SIGINT');
      }
      setTimeout(look, STUCK_MS);
    };
    setTimeout(look, STUCK_MS);
  }

  /** What lies in front of the key goes, as the key itself would have it; one that a program wants as a character stays. */
  async #freeInterrupt(): Promise<void> {
    const path: unknown = Reflect.get(this.#pty, '_pty');
    if (this.#otherEnd === null || typeof path !== 'string') return;
    const { hadInterrupt } = await dropUnread(path).catch(() => ({ hadInterrupt: false }));
    if (hadInterrupt && !this.#exited) this.#queue.add(INTERRUPT);
  }

  #send(piece: string, done: () => void): void {
    if (this.#inputFd !== null) this.#sendBytes(this.#inputFd, Buffer.from(piece), done);
    else {
      this.#pty.write(piece);
      setImmediate(done);
    }
  }

  /**
   * Writes to the descriptor itself, which never waits: the runtime's own stream for terminals spins until a program that
   * does not read takes the rest, and all of Lathe would stand still.
   */
  #sendBytes(fd: number, bytes: Buffer, done: () => void): void {
    if (this.#exited || this.#draining) return;
    const taken = writeSome(fd, bytes);
    this.#typed += taken;
    const rest = bytes.subarray(taken);
    if (rest.length === 0) setImmediate(done);
    else setTimeout(() => this.#sendBytes(fd, rest, done), FULL_WAIT_MS);
  }

  /** Sizes are at least 2 × 1; nothing happens after the exit (case-X04). */
  resize(cols: number, rows: number): void {
    if (this.#exited) return;
    try {
      this.#pty.resize(cols, rows);
    } catch {
      // The program ended in this very moment; its exit is on the way.
    }
  }

  pause(): void {
    if (!this.#exited && !this.#draining) this.#pty.pause();
  }

  resume(): void {
    if (!this.#exited) this.#pty.resume();
  }

  /**
   * The package destroys the stream a fixed time after the exit, read or not. Its wish is taken as the news that the
   * program ended, and granted once no more output comes.
   */
  #drainBeforeDestroy(socket: Socket): void {
    const destroy = socket.destroy.bind(socket);
    socket.destroy = (error?: Error) => {
      if (error !== undefined || socket.readableEnded || this.#exited) {
        // Closing frees the descriptor's number for other files: nothing may be written to it from here on.
        this.#draining = true;
        return destroy(error);
      }
      if (!this.#draining) this.#drain(socket, () => destroy());
      return socket;
    };
  }

  #drain(socket: Socket, done: () => void): void {
    this.#draining = true;
    this.#queue.clear();
    this.#pty.resume();
    const finish = (): void => {
      clearTimeout(quiet);
      clearTimeout(limit);
      socket.off('data', onMore);
      this.#releaseOtherEnd();
      done();
    };
    const quiet = setTimeout(finish, QUIET_MS);
    const limit = setTimeout(finish, DRAIN_LIMIT_MS);
    const onMore = (): void => {
      quiet.refresh();
    };
    socket.on('data', onMore);
  }

  #releaseOtherEnd(): void {
    if (this.#otherEnd === null) return;
    closeSync(this.#otherEnd);
    this.#otherEnd = null;
  }

  #ended(): void {
    this.#exited = true;
    this.#queue.clear();
    this.#releaseOtherEnd();
  }

  /** Ends the shell and what runs in its foreground; resolves once both are gone or were killed. */
  async kill(): Promise<void> {
    if (this.#exited) return;
    if (process.platform === 'win32') {
      this.#pty.kill();
      return;
    }
    this.#pty.resume();
    const front = foregroundGroup(this.pid);
    await endGroups([...new Set([...(front === null ? [] : [front]), this.pid])]);
  }
}
