import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { QUIET_BROWSER } from '../quiet-browser';
import { Cdp } from './cdp';
import { tell } from './control';

const ARGS = [
  '--headless=new',
  '--remote-debugging-port=0',
  // A window opens when the app opens one.
  '--no-startup-window',
  ...QUIET_BROWSER,
  // Nothing is fetched: the app's pages come from the app, and there is nothing else.
  '--host-resolver-rules=MAP * ~NOTFOUND',
];

export interface Chromium {
  cdp: Cdp;
  close(): Promise<void>;
}

/** The system's Chromium, which takes the place of the one in Electron; `LATHE_CHROMIUM` names another. */
export async function startChromium(): Promise<Chromium> {
  const profile = mkdtempSync(path.join(tmpdir(), 'electron-double-'));
  const program = process.env['LATHE_CHROMIUM'] ?? '/usr/bin/chromium';
  const child = spawn(program, [...ARGS, `--user-data-dir=${profile}`], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const endpoint = await endpointOf(child);
  const cdp = await Cdp.connect(endpoint);
  tell({ event: 'chromium', endpoint });
  const close = async (): Promise<void> => {
    const ended = once(child, 'exit');
    await cdp.send('Browser.close').catch(() => undefined);
    const timer = setTimeout(() => child.kill('SIGKILL'), 3000);
    await ended;
    clearTimeout(timer);
    cdp.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  return { cdp, close };
}

function endpointOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`Chromium ended with code ${code}:\n${text}`)));
    child.stderr?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const found = /DevTools listening on (ws:\S+)/.exec(text)?.[1];
      if (found !== undefined) resolve(found);
    });
  });
}

let running: Promise<Chromium> | null = null;

/** The one Chromium of this process, started when it is first wanted. */
export const chromium = (): Promise<Chromium> => (running ??= startChromium());

export async function closeChromium(): Promise<void> {
  await (await running)?.close();
}
