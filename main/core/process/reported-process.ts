import { Socket } from 'node:net';
import { constants } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { PipeEnds } from './fifo-stock';
import { killGroup } from './kill-tree';
import { processRuns } from './process-runs';
import type { ProcessEnd } from './running-command';

/** bash reports a process that a signal ended as this plus the signal's number. */
const SIGNALLED = 128;
/** Of what is said about a process; more than that is not needed to know its end. */
const KEPT_CHARS = 4096;
/** How often is looked whether a process is gone that nobody reports about any more. */
const LOOK_MS = 50;
/** What a process has said on descriptor 4 before it closed it. */
export const SAID = '\u0001';

/** A process in a group of its own, with /dev/null as input. */
export interface StartedProcess {
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly control: Writable;
  /** Whether it wrote {@link SAID}: false once it can't do so any more. */
  readonly said: Promise<boolean>;
  /** Null when it could not be started. */
  readonly pid: Promise<number | null>;
  readonly exit: Promise<ProcessEnd>;
  isAlive(): boolean;
  /** Ends its group, as soon as it is known. */
  kill(): void;
  /** Gives up a process of which nothing was heard. */
  lost(): void;
  /** Closes its pipes; to be called when it has ended, or they were read. */
  letGo(): void;
  hold(holds: boolean): void;
}

/** A process that a helper has started, by what the helper's shell reports of it on a pipe. */
export class ReportedProcess implements StartedProcess {
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly control: Writable;
  private readonly sockets: readonly Socket[];
  private readonly saying = Promise.withResolvers<boolean>();
  private readonly starting = Promise.withResolvers<number | null>();
  private readonly ending = Promise.withResolvers<ProcessEnd>();
  readonly said = this.saying.promise;
  readonly pid = this.starting.promise;
  readonly exit = this.ending.promise;
  private known: number | null = null;
  private text = '';
  private ended = false;
  private killed = false;

  constructor(ends: PipeEnds) {
    const [out, err, control, report] = [
      socketOf(ends.out, 'readable'),
      socketOf(ends.err, 'readable'),
      socketOf(ends.in, 'writable'),
      socketOf(ends.report, 'readable'),
    ];
    [this.stdout, this.stderr, this.control] = [out, err, control];
    this.sockets = [out, err, control, report];
    report.setEncoding('latin1').on('data', (text: string) => this.heard(text));
    report.once('close', () => void this.outlived());
    void this.exit.then(() => [control, report].forEach((each) => each.destroy()));
  }

  hold(holds: boolean): void {
    for (const each of this.sockets) {
      if (holds) each.ref();
      else each.unref();
    }
  }

  isAlive(): boolean {
    return !this.ended;
  }

  kill(): void {
    this.killed = true;
    if (this.known !== null && !this.ended) killGroup(this.known);
  }

  /** Nothing will be heard of it if nothing was until now. */
  lost(): void {
    if (this.known === null) this.settle({ code: null, signal: null });
  }

  /** Pipes that nobody will read. */
  letGo(): void {
    for (const each of this.sockets) each.destroy();
  }

  private heard(text: string): void {
    this.text = (this.text + text).slice(-KEPT_CHARS);
    const pid = /\u0002(\d+)\n/.exec(this.text)?.[1];
    if (pid !== undefined && this.known === null) {
      this.known = Number(pid);
      this.starting.resolve(this.known);
      if (this.killed) killGroup(this.known);
    }
    if (this.text.includes(SAID)) this.saying.resolve(true);
    const [, message = '', status] = /\n([^]*)\u0003(\d+)\n/.exec(this.text) ?? [];
    if (status !== undefined) this.settle(endOf(Number(status), message.replaceAll(SAID, '')));
  }

  private settle(end: ProcessEnd): void {
    if (this.ended) return;
    this.ended = true;
    this.starting.resolve(null);
    this.saying.resolve(false);
    this.ending.resolve(end);
  }

  /** Somebody has ended the shell that waits for it: it may go on. */
  private async outlived(): Promise<void> {
    while (!this.ended && this.known !== null && processRuns(this.known))
      await delay(LOOK_MS, undefined, { ref: false });
    this.settle({ code: null, signal: null });
  }
}

const socketOf = (fd: number, kind: 'readable' | 'writable'): Socket => {
  const socket = new Socket({ fd, readable: kind === 'readable', writable: kind === 'writable' });
  // A broken pipe ends it; 'close' follows.
  return socket.on('error', () => undefined);
};

const SIGNALS = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name]));

/** What bash says of ends that no signal caused, and of stops. */
const NO_SIGNAL = /\b(?:Exit \d+|Done|Stopped|Running)\b/;

/** @param message what bash said about the end: one that a signal caused has the status of an exit with that number */
function endOf(status: number, message: string): ProcessEnd {
  const told = message.split('\n').some((line) => line.trim() !== '' && !NO_SIGNAL.test(line));
  const signal = told ? SIGNALS.get(status - SIGNALLED) : undefined;
  return signal === undefined
    ? { code: status, signal: null }
    : { code: null, signal: signal as NodeJS.Signals };
}
