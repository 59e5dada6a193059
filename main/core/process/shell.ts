import { accessSync, constants } from 'node:fs';
import { AppError } from '../../../shared/error';

const BASHES = ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash', 'C:\\Program Files\\Git\\bin\\bash.exe'];
const SHELLS = ['/bin/sh', '/usr/bin/sh'];

function exists(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

let found: readonly string[] | null = null;

function findShell(): readonly string[] {
  const bash = BASHES.find(exists);
  if (bash !== undefined) return [bash, '--noprofile', '--norc', '-c'];
  const sh = SHELLS.find(exists);
  if (sh !== undefined) return [sh, '-c'];
  throw new AppError('unsupported', 'There is no bash or sh on this machine, so commands cannot run.', {
    hint: 'Install bash (on Windows: Git for Windows).',
  });
}

/**
 * The argument list that runs `command`: bash without any start-up file, else sh. Start-up files could give approved words
 * another meaning (sec-C15). The path is absolute: a `bash` in the project folder is never taken.
 *
 * @throws AppError `unsupported` when there is neither
 */
export function shellArgv(command: string): string[] {
  found ??= findShell();
  return [...found, command];
}
