import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

export interface ShellChoice {
  /** Absolute path, or the name as given when nothing was found under it. */
  path: string;
  args: string[];
  /** Why it can't be started; null when it can. */
  problem: string | null;
}

const WINDOWS_SHELLS = ['pwsh.exe', 'powershell.exe', 'cmd.exe'];
const UNIX_SHELLS = ['/bin/bash', '/usr/bin/bash', '/bin/zsh', '/bin/sh'];

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Absolute path of a program; names without a slash are looked up on PATH, whose relative entries don't count. */
function findProgram(name: string, env: NodeJS.ProcessEnv): string | null {
  if (isAbsolute(name)) return isProgram(name) ? name : null;
  if (/[\\/]/.test(name)) return null;
  const folders = (env.PATH ?? env.Path ?? '').split(delimiter).filter(isAbsolute);
  return folders.map((folder) => join(folder, name)).find(isProgram) ?? null;
}

function firstFound(names: readonly string[], env: NodeJS.ProcessEnv): string | null {
  for (const name of names) {
    const found = findProgram(name, env);
    if (found !== null) return found;
  }
  return null;
}

/** macOS starts login shells in terminals, and people's start-up files rely on it. */
const argumentsOf = (platform: NodeJS.Platform): string[] => (platform === 'darwin' ? ['-l'] : []);

/**
 * The shell of a new terminal: the setting, else `$SHELL`, else bash or PowerShell. A shell that was chosen and does not
 * exist is not replaced behind the user's back: the choice says so.
 *
 * @param wanted the setting `terminal.integrated.shell`; '' = none
 */
export function chooseShell(
  wanted: string,
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): ShellChoice {
  const args = argumentsOf(platform);
  const name = wanted.trim();
  if (name !== '') {
    const path = findProgram(name, env);
    if (path !== null) return { path, args, problem: null };
    const problem = `The shell "${name}" was not found or can't be run. Set terminal.integrated.shell to another one, then restart.`;
    return { path: name, args, problem };
  }
  const usual = platform === 'win32' ? WINDOWS_SHELLS : [env.SHELL ?? '', ...UNIX_SHELLS].filter(Boolean);
  const path = firstFound(usual, env);
  if (path !== null) return { path, args, problem: null };
  return {
    path: usual[0] ?? 'sh',
    args,
    problem: 'No shell was found on this machine. Install bash, then restart.',
  };
}
