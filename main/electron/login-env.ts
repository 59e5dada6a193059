import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';

/** Start-up files that take longer are not waited for: the app starts with what it has. */
const LIMIT_MS = 3000;
const MAX_BYTES = 1_000_000;

/** What steers our own runtime or belongs to the shell that was asked, not to the user's set-up. */
const NOT_ADOPTED = /^(ELECTRON_|LATHE_|NODE_OPTIONS$|NODE_CHANNEL|CHROME_|SHLVL$|_$|PWD$|OLDPWD$|TERM$)/;

export interface LoginEnvOptions {
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  limitMs?: number;
}

/** An app started from an icon has the bare environment of the desktop; one started in a terminal has the user's. */
export const needsLoginEnv = ({ env, platform }: LoginEnvOptions): boolean =>
  (platform === 'darwin' || platform === 'linux') && env['TERM'] === undefined;

/**
 * The environment that the user's login shell sets up, or null when the shell does not tell in time. The shell reads the
 * user's start-up files; what they print is kept apart by a marker.
 *
 * @param options.limitMs 3 s by default; the shell and what it started are then killed
 */
export async function readLoginEnv(options: LoginEnvOptions): Promise<NodeJS.ProcessEnv | null> {
  const shell = options.env['SHELL'] ?? (options.platform === 'darwin' ? '/bin/zsh' : '/bin/bash');
  const marker = `lathe-${randomUUID()}`;
  const script = `printf %s ${marker}; command env -0; printf %s ${marker}`;
  const output = await outputOf(shell, ['-ilc', script], options.env, options.limitMs ?? LIMIT_MS);
  const [, text, rest] = output?.split(marker) ?? [];
  return text === undefined || rest === undefined || text === '' ? null : parseEnv(text);
}

function parseEnv(text: string): NodeJS.ProcessEnv {
  const result: NodeJS.ProcessEnv = {};
  for (const entry of text.split('\0')) {
    const equals = entry.indexOf('=');
    const name = entry.slice(0, Math.max(0, equals));
    if (name !== '' && !NOT_ADOPTED.test(name)) result[name] = entry.slice(equals + 1);
  }
  return result;
}

function outputOf(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  limitMs: number,
): Promise<string | null> {
  return new Promise((resolve) => {
    // Its own process group, so that whatever a start-up file began ends with it.
    const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'ignore'], detached: true });
    const chunks: Buffer[] = [];
    let size = 0;
    const end = (output: string | null): void => {
      clearTimeout(timer);
      if (output === null) killGroup(child.pid);
      resolve(output);
    };
    const timer = setTimeout(() => end(null), limitMs);
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_BYTES) end(null);
      else chunks.push(chunk);
    });
    child.once('error', () => end(null));
    child.once('close', () => end(Buffer.concat(chunks).toString()));
  });
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}
