import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');
export const CLI = join(ROOT, 'dist/main/cli.mjs');
const OWN_NODE = join(ROOT, 'node_modules/node/bin/node');
/** The Node that the product brings; the one that runs the tests where that has another place. */
export const NODE = existsSync(OWN_NODE) ? OWN_NODE : process.execPath;

export interface HostOptions {
  home: string;
  project?: string;
  /** `--base-url` of a model server; without it the host uses what its home says. */
  modelUrl?: string;
  /** Name of its model; default `mock`. */
  model?: string;
  port?: number;
  args?: string[];
  env?: Record<string, string>;
  /** Program and arguments that start the host in its stead and become it (`exec`): other rights, other mounts. */
  launcher?: readonly string[];
}

export interface Host {
  readonly url: string;
  readonly token: string;
  readonly port: number;
  readonly process: ChildProcess;
  stderr(): string;
  /** Ends the host as a user would (Ctrl+C) and waits for it. */
  stop(): Promise<number | null>;
  /** SIGKILL: a crash or a power cut. */
  kill(): Promise<void>;
}

export function environment(options: HostOptions): NodeJS.ProcessEnv {
  const { PATH, LANG, SHELL, TMPDIR, USER } = process.env;
  // A home of its own: what the shells of this machine's user run at their start is nothing to test, and may hang.
  return { PATH, HOME: options.home, LANG, SHELL, TMPDIR, USER, LATHE_HOME: options.home, ...options.env };
}

function serveArguments(options: HostOptions): string[] {
  const args = ['serve', '--json', '--no-open'];
  if (options.project !== undefined) args.push('--project', options.project);
  if (options.port !== undefined) args.push('--port', String(options.port));
  if (options.modelUrl !== undefined)
    args.push('--base-url', options.modelUrl, '--model', options.model ?? 'mock', '--api-key', 'test-key');
  return [...args, ...(options.args ?? [])];
}

/** Starts `lathe serve` as built and waits for the line that says where it is. */
export async function startHost(options: HostOptions): Promise<Host> {
  const command = [...(options.launcher ?? []), NODE, CLI, ...serveArguments(options)];
  const child = spawn(command[0] ?? NODE, command.slice(1), {
    env: environment(options),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const exited = once(child, 'exit');
  const lines = createInterface({ input: child.stdout });
  const first = await Promise.race([
    once(lines, 'line').then(([line]) => line as string),
    exited.then(() => {
      throw new Error(`lathe serve ended before it was ready:\n${stderr}`);
    }),
  ]);
  const ready = JSON.parse(first) as { url: string; token: string; port: number };
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill(signal);
      await exited;
    }
    return child.exitCode;
  };
  return {
    ...ready,
    process: child,
    stderr: () => stderr,
    stop: () => end('SIGINT'),
    kill: () => end('SIGKILL').then(() => undefined),
  };
}
