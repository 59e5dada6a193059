import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** The record of a set on the disk. */
export const SetRecord = z.object({
  root: z.string(),
  pid: z.int(),
  /** When the process started, in the kernel's ticks; empty where that can't be told. */
  started: z.string(),
  files: z.array(
    z.object({
      path: z.string(),
      before: z.string().nullable(),
      after: z.string().nullable(),
      mode: z.int().nullable(),
      /** Permission bits that the file gets; null where they stay. */
      modeAfter: z.int().nullable().default(null),
    }),
  ),
});
export type SetRecord = z.infer<typeof SetRecord>;

/** Its name in the folder of the set, beside the images `0`, `1` … */
export const RECORD_NAME = 'set.json';

/** Field 22 of /proc/PID/stat: tells a process from a later one with its number. */
export function startOf(pid: number): string {
  try {
    return (
      readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')[19] ?? ''
    );
  } catch {
    return '';
  }
}
