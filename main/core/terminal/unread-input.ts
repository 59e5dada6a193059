import { closeSync, constants, openSync, readSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const CHUNK_BYTES = 64 * 1024;
/** The system hands on what it holds back a moment after there is room. */
const MORE_MS = 5;
/** Looks that find nothing before it counts as all. */
const EMPTY_LOOKS = 3;
/** A terminal holds some hundred kilobytes; whoever types faster than this takes them away is never done. */
const MAX_LOOKS = 200;

export interface Unread {
  bytes: number;
  /** Ctrl-C was among them: the program takes keys as they are. */
  hadInterrupt: boolean;
}

/**
 * Throws away what was typed into a terminal and not read by its program.
 *
 * @param path the terminal's device
 */
export async function dropUnread(path: string): Promise<Unread> {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  const chunk = Buffer.alloc(CHUNK_BYTES);
  const unread: Unread = { bytes: 0, hadInterrupt: false };
  try {
    for (let looks = 0, empty = 0; empty < EMPTY_LOOKS && looks < MAX_LOOKS; looks += 1) {
      const count = readSome(fd, chunk);
      unread.bytes += count;
      unread.hadInterrupt ||= chunk.subarray(0, count).includes(3);
      empty = count === 0 ? empty + 1 : 0;
      // With nothing in it at all, nothing is held back either.
      if (unread.bytes === 0) break;
      if (count === 0) await delay(MORE_MS);
    }
  } finally {
    closeSync(fd);
  }
  return unread;
}

/** 0 when there is nothing to read now, or ever again. */
function readSome(fd: number, chunk: Buffer): number {
  try {
    return readSync(fd, chunk);
  } catch {
    return 0;
  }
}
