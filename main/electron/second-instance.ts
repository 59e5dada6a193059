import { statSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

/** What a second instance hands to the first; nothing else of its command line counts (sec-H03). */
const Wish = z.object({ folder: z.string().nullable() });
export type Wish = z.infer<typeof Wish>;

function isFolder(absolute: string): boolean {
  try {
    return path.isAbsolute(absolute) && !absolute.includes('\0') && statSync(absolute).isDirectory();
  } catch {
    return false;
  }
}

/**
 * The folder that a command line asks for: its one argument that is not a switch, if that is a folder. Switches, links and
 * anything more are ignored.
 *
 * @param args what follows the program, and in a checkout the app's own folder
 * @param cwd what a relative path is relative to
 */
export function folderFromArgs(args: readonly string[], cwd: string): string | null {
  const plain = args.filter((arg) => !arg.startsWith('-'));
  const [only] = plain;
  if (only === undefined || plain.length !== 1) return null;
  const folder = path.resolve(cwd, only);
  return isFolder(folder) ? folder : null;
}

/** The folder that another instance asks for, checked again: any process of this user could have sent it. */
export function folderOfWish(data: unknown): string | null {
  const folder = Wish.safeParse(data).data?.folder ?? null;
  return folder !== null && isFolder(folder) ? folder : null;
}
