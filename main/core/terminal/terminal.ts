import { basename } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { TerminalInfo } from '../../../shared/contract/terminal';
import { AppError } from '../../../shared/error';
import { Audience, type SendOutput } from './audience';
import { OutputBatch } from './output-batch';
import { OutputRing } from './output-ring';
import { Pty } from './pty';
import type { ShellChoice } from './shell-choice';

export interface TerminalOptions {
  id: string;
  /** Absolute, inside the project. */
  cwd: string;
  env: Record<string, string>;
  /** Asked on every start, so that a restart takes a changed setting. */
  shell: () => ShellChoice;
  cols: number;
  rows: number;
  onChange: () => void;
}

/** Input waiting for a program that does not read. */
const MAX_WAITING_CHARS = 8_000_000;
const END_LIMIT_MS = 3000;
/** Leaves the alternate screen, shows the cursor, ends bracketed paste, mouse reports and colours (case-X06). */
const RESET =
  '\u001b[?1049l\u001b[?25h\u001b[?2004l\u001b[?1000l\u001b[?1002l\u001b[?1003l\u001b[?1006l\u001b[0m';

const clamp = (value: number, least: number): number =>
  Number.isFinite(value) ? Math.min(1000, Math.max(least, Math.floor(value))) : least;

function exitText({ exitCode, signal }: { exitCode: number; signal: number }): string {
  if (signal !== 0) return `The shell was ended by signal ${signal}.`;
  return exitCode === 0 ? 'The shell ended.' : `The shell ended with code ${exitCode}.`;
}

/** One terminal: a shell that may end and be started again, its recent output, and the windows that show it. */
export class Terminal {
  readonly id: string;
  readonly #options: TerminalOptions;
  readonly #ring = new OutputRing();
  readonly #batch = new OutputBatch((text) => this.#publish(text));
  readonly #audience = new Audience((held) => (held ? this.#pty?.pause() : this.#pty?.resume()));
  #pty: Pty | null = null;
  #shell: ShellChoice;
  #cols: number;
  #rows: number;
  #exit: { exitCode: number | null; message: string } | null = null;
  #whenEnded: Promise<void> = Promise.resolve();

  constructor(options: TerminalOptions) {
    this.id = options.id;
    this.#options = options;
    this.#cols = clamp(options.cols, 2);
    this.#rows = clamp(options.rows, 1);
    this.#shell = options.shell();
  }

  info(): TerminalInfo {
    return TerminalInfo.parse({
      id: this.id,
      title: basename(this.#shell.path)
        .replace(/\.exe$/i, '')
        .slice(0, 100),
      shell: this.#shell.path,
      running: this.#pty !== null,
      exitCode: this.#exit?.exitCode ?? null,
    });
  }

  /** A shell that can't be started is an exit with a message, not an error: the pane offers a restart (case-X08). */
  async start(): Promise<void> {
    this.#exit = null;
    this.#shell = this.#options.shell();
    if (this.#shell.problem !== null) {
      this.#finish(null, this.#shell.problem);
      return;
    }
    const ended = Promise.withResolvers<void>();
    try {
      this.#pty = await this.#spawn(ended.resolve);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.#finish(null, `The shell ${this.#shell.path} could not be started: ${why}`);
      return;
    }
    this.#whenEnded = ended.promise;
    if (this.#audience.held) this.#pty.pause();
  }

  #spawn(onEnded: () => void): Promise<Pty> {
    const { cwd, env } = this.#options;
    return Pty.start({
      file: this.#shell.path,
      args: this.#shell.args,
      cwd,
      env,
      cols: this.#cols,
      rows: this.#rows,
      onData: (text) => this.#batch.add(text),
      onExit: (exit) => {
        this.#pty = null;
        this.#batch.add(RESET);
        this.#finish(exit.exitCode, exitText(exit));
        onEnded();
      },
    });
  }

  #publish(text: string): void {
    this.#ring.add(text);
    this.#audience.tell({ kind: 'data', data: text });
  }

  #finish(exitCode: number | null, message: string): void {
    this.#batch.flush();
    this.#exit = { exitCode, message };
    this.#audience.tell({ kind: 'exit', ...this.#exit });
    this.#options.onChange();
  }

  write(data: string): void {
    if (!this.#pty) {
      throw new AppError('conflict', 'The shell of this terminal has ended.', { hint: 'Restart it.' });
    }
    if (this.#pty.waitingChars + data.length > MAX_WAITING_CHARS) {
      throw new AppError('busy', 'The program in this terminal does not take its input.', {
        hint: 'Wait until it reads again, or press Ctrl-C.',
      });
    }
    this.#pty.write(data);
  }

  resize(cols: number, rows: number): void {
    this.#cols = clamp(cols, 2);
    this.#rows = clamp(rows, 1);
    this.#pty?.resize(this.#cols, this.#rows);
  }

  acknowledge(chars: number, clientId: string | null): void {
    this.#audience.acknowledge(chars, clientId);
  }

  subscribe(send: SendOutput, clientId: string): () => void {
    this.#batch.flush();
    send({ kind: 'replay', data: this.#ring.text(), cols: this.#cols, rows: this.#rows });
    if (this.#exit) send({ kind: 'exit', ...this.#exit });
    return this.#audience.join(send, clientId);
  }

  /** Ends the shell and what it runs; resolves when they are gone, or after three seconds when the system keeps them. */
  async end(): Promise<void> {
    if (!this.#pty) return;
    await this.#pty.kill();
    await Promise.race([this.#whenEnded, delay(END_LIMIT_MS, undefined, { ref: false })]);
  }

  /** Starts a new shell on an empty screen. */
  async restart(): Promise<void> {
    await this.end();
    this.#ring.clear();
    this.#audience.tell({ kind: 'replay', data: '', cols: this.#cols, rows: this.#rows });
    await this.start();
    this.#options.onChange();
  }
}
