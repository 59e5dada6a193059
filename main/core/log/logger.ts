import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { redact, redactText } from './redact';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Writes are never worth failing for: no method throws. */
export interface Logger {
  /** Absolute path of the file that is written now. */
  readonly path: string;
  debug(message: string, facts?: Record<string, unknown>): void;
  info(message: string, facts?: Record<string, unknown>): void;
  warn(message: string, facts?: Record<string, unknown>): void;
  error(message: string, facts?: Record<string, unknown>): void;
  /** The newest `maxBytes` bytes as text, from the start of a line; '' when there is no log. */
  tail(maxBytes: number): string;
  close(): void;
}

export interface LoggerOptions {
  /** Folder of the log files; created 0700. */
  dir: string;
  /** Lines below this level are dropped. */
  level?: LogLevel;
  /** Size of one file before it is rotated; three are kept. */
  maxBytes?: number;
}

const RANK: Record<LogLevel, number> = { debug: 0, info: 1, warn: 2, error: 3 };
const MAX_BYTES = 5_000_000;
const MAX_LINE_CHARS = 64_000;
const FILES = ['lathe.log', 'lathe.1.log', 'lathe.2.log'] as const;

/** The end of a file from its first whole line on. */
function readEnd(path: string, maxBytes: number): string {
  const fd = openSync(path, 'r');
  try {
    const size = fstatSync(fd).size;
    const start = Math.max(0, size - maxBytes);
    const bytes = Buffer.alloc(size - start);
    const text = bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, start)).toString();
    return start === 0 ? text : text.slice(text.indexOf('\n') + 1);
  } finally {
    closeSync(fd);
  }
}

class FileLogger implements Logger {
  readonly path: string;
  readonly #options: Required<LoggerOptions>;
  #fd: number | null = null;
  #sizeBytes = 0;
  #dropped = 0;

  constructor(options: Required<LoggerOptions>) {
    this.#options = options;
    this.path = join(options.dir, FILES[0]);
  }

  debug(message: string, facts?: Record<string, unknown>): void {
    this.#write('debug', message, facts);
  }
  info(message: string, facts?: Record<string, unknown>): void {
    this.#write('info', message, facts);
  }
  warn(message: string, facts?: Record<string, unknown>): void {
    this.#write('warn', message, facts);
  }
  error(message: string, facts?: Record<string, unknown>): void {
    this.#write('error', message, facts);
  }

  #write(level: LogLevel, message: string, facts: Record<string, unknown> = {}): void {
    if (RANK[level] < RANK[this.#options.level]) return;
    try {
      this.#append(this.#line(level, message, facts));
      this.#dropped = 0;
    } catch {
      // The next line that can be written tells how many could not.
      this.#dropped += 1;
    }
  }

  #line(level: LogLevel, message: string, facts: Record<string, unknown>): string {
    const lost = this.#dropped > 0 ? { droppedLines: this.#dropped } : {};
    const head = { at: new Date().toISOString(), level, pid: process.pid, message: redactText(message) };
    const text = JSON.stringify({ ...head, ...lost, ...(redact(facts) as object) });
    if (text.length <= MAX_LINE_CHARS) return `${text}\n`;
    return `${JSON.stringify({ ...head, ...lost, cut: text.slice(0, MAX_LINE_CHARS / 2) })}\n`;
  }

  #append(line: string): void {
    const bytes = Buffer.from(line);
    if (this.#fd !== null && this.#sizeBytes + bytes.length > this.#options.maxBytes) this.#rotate();
    this.#fd ??= this.#open();
    writeSync(this.#fd, bytes);
    this.#sizeBytes += bytes.length;
  }

  #open(): number {
    mkdirSync(this.#options.dir, { recursive: true, mode: 0o700 });
    const fd = openSync(this.path, 'a', 0o600);
    this.#sizeBytes = fstatSync(fd).size;
    return fd;
  }

  /** Another process may have rotated already: then the file at the path is not ours and only gets opened. */
  #rotate(): void {
    if (this.#fd === null) return;
    const isOurs = statSync(this.path, { throwIfNoEntry: false })?.ino === fstatSync(this.#fd).ino;
    closeSync(this.#fd);
    this.#fd = null;
    if (!isOurs) return;
    for (let index = FILES.length - 1; index > 0; index -= 1) {
      const from = join(this.#options.dir, FILES[index - 1] ?? '');
      if (statSync(from, { throwIfNoEntry: false }))
        renameSync(from, join(this.#options.dir, FILES[index] ?? ''));
    }
  }

  tail(maxBytes: number): string {
    let text = '';
    for (const name of FILES) {
      const room = maxBytes - Buffer.byteLength(text);
      if (room <= 0) break;
      try {
        text = readEnd(join(this.#options.dir, name), room) + text;
      } catch {
        break;
      }
    }
    return text;
  }

  close(): void {
    if (this.#fd === null) return;
    try {
      closeSync(this.#fd);
    } catch {
      // Nothing is buffered, so nothing is lost.
    }
    this.#fd = null;
  }
}

/** A JSON-lines log in `dir/lathe.log` with two older files beside it; secrets are hidden before they are written. */
export function createLogger(options: LoggerOptions): Logger {
  return new FileLogger({ level: 'info', maxBytes: MAX_BYTES, ...options });
}

/** Swallows every line: for pieces that run without a data folder. */
export const silentLogger: Logger = {
  path: '',
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  tail: () => '',
  close: () => undefined,
};
