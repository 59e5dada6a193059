import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { TurnEvent } from '../../shared/model/turn-event';
import { CLI, environment, NODE } from './host';

export interface LatheRun {
  readonly process: ChildProcess;
  /** Events as they came out, in order. */
  readonly events: TurnEvent[];
  /** Resolves once the process is gone and all it wrote was read. */
  readonly done: Promise<{ code: number | null; signal: NodeJS.Signals | null; stderr: string }>;
}

export interface RunOptions {
  home: string;
  project: string;
  modelUrl: string;
  prompt: string;
  session?: string;
  /** Called for every event, in the moment it is read. */
  onEvent?: (event: TurnEvent, process: ChildProcess) => void;
}

/** Starts `lathe run --json` as built. */
export function startRun(options: RunOptions): LatheRun {
  const { home, project, modelUrl, prompt, session, onEvent } = options;
  const args = ['run', '--json', '--project', project, '--prompt', prompt];
  args.push('--base-url', modelUrl, '--model', 'mock', '--api-key', 'test-key');
  if (session !== undefined) args.push('--session', session);
  const child = spawn(NODE, [CLI, ...args], {
    cwd: project,
    env: environment({ home }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const events: TurnEvent[] = [];
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => {
    const event = parsed(line);
    if (!event) return;
    events.push(event);
    onEvent?.(event, child);
  });
  const done = Promise.all([once(child, 'exit'), once(lines, 'close')]).then(() => ({
    code: child.exitCode,
    signal: child.signalCode,
    stderr,
  }));
  return { process: child, events, done };
}

/** A line that a killed process wrote to its half is no event. */
function parsed(line: string): TurnEvent | null {
  try {
    return JSON.parse(line) as TurnEvent;
  } catch {
    return null;
  }
}
