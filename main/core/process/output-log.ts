import { closeSync, constants, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** A log keeps this much of an output: enough to read on, too little to fill a disk. */
export const MAX_LOG_BYTES = 10 * 1024 * 1024;

export interface OutputLog {
  readonly path: string;
  push(bytes: Buffer): void;
  /** False while everything still fits into memory and no file was made. */
  written(): boolean;
  /** Bytes that did not go into the file because it was full or the disk refused them. */
  lostBytes(): number;
  close(): void;
}

/**
 * Keeps the whole output in a file, up to {@link MAX_LOG_BYTES}. The file is only made when the output outgrows
 * `memoryBytes` (below 0: with the first push), since most commands say little. Made new, 0600; an existing file or link is never written to. When the
 * disk refuses, the rest counts as lost and the command goes on.
 */
export function createOutputLog(path: string, memoryBytes: number): OutputLog {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let file: number | null = null;
  let size = 0;
  let lost = 0;
  let opened = false;
  let closed = false;

  function write(bytes: Buffer): void {
    const part = bytes.subarray(0, Math.max(0, MAX_LOG_BYTES - size));
    lost += bytes.length - part.length;
    if (part.length === 0 || file === null) {
      lost += part.length;
      return;
    }
    try {
      size += writeSync(file, part);
    } catch {
      lost += part.length;
    }
  }

  function open(): void {
    opened = true;
    try {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      file = openSync(
        path,
        constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
        0o600,
      );
    } catch {
      file = null;
    }
    const waiting = held;
    held = [];
    for (const bytes of waiting) write(bytes);
  }

  return {
    path,
    push(bytes) {
      if (closed) return;
      if (opened) {
        write(bytes);
        return;
      }
      held.push(Buffer.from(bytes));
      heldBytes += bytes.length;
      if (heldBytes > memoryBytes) open();
    },
    written: () => file !== null || (closed && size > 0),
    lostBytes: () => lost,
    close() {
      closed = true;
      held = [];
      if (file !== null) closeSync(file);
      file = null;
    },
  };
}
