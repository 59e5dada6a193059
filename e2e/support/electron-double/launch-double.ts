import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { chromium, type Browser, type Page } from '@playwright/test';
import { NODE, ROOT } from '../host';
import type { ControlEvent, ControlRequest } from './control';

const START = path.join(ROOT, 'e2e/support/electron-double/start.ts');
const WAIT_MS = 30_000;

export type EventOf<K extends ControlEvent['event']> = Extract<ControlEvent, { event: K }>;

export interface DoubleOptions {
  /** LATHE_HOME. */
  home: string;
  /** What follows the app on the command line. */
  args?: string[];
  env?: Record<string, string>;
}

/** The compiled app, running over the Electron double. */
export interface ElectronDouble {
  /** The app's window, once it has loaded. */
  window(): Promise<Page>;
  /** Asks the double for something: a click in the menu, an answer to a dialog. */
  control(what: string, argument?: unknown): Promise<unknown>;
  /** The next event of this kind that nobody took yet. */
  next<K extends ControlEvent['event']>(kind: K): Promise<EventOf<K>>;
  /** Code of the app's process. */
  exited: Promise<number | null>;
  stderr(): string;
  /** Processes that still carry this app's environment. */
  leftOver(): number[];
  /** Ends it if it still runs. */
  dispose(): Promise<void>;
}

class Running implements ElectronDouble {
  readonly exited: Promise<number | null>;
  private readonly child: ChildProcess;
  private readonly home: string;
  private readonly untaken: ControlEvent[] = [];
  private readonly takers = new Set<() => void>();
  private browser: Browser | null = null;
  private text = '';
  private lastId = 0;

  constructor(child: ChildProcess, home: string) {
    this.child = child;
    this.home = home;
    this.exited = once(child, 'exit').then(([code]) => code as number | null);
    child.stderr?.on('data', (chunk: Buffer) => (this.text += chunk.toString()));
    child.on('message', (event: ControlEvent) => {
      this.untaken.push(event);
      for (const take of [...this.takers]) take();
    });
  }

  next<K extends ControlEvent['event']>(kind: K): Promise<EventOf<K>> {
    return this.take((event): event is EventOf<K> => event.event === kind, kind);
  }

  async control(what: string, argument: unknown = null): Promise<unknown> {
    this.lastId += 1;
    const request: ControlRequest = { id: this.lastId, what, argument };
    this.child.send(request);
    const fits = (event: ControlEvent): event is EventOf<'answer'> =>
      event.event === 'answer' && event.id === request.id;
    const answer = await this.take(fits, `an answer to ${what}`);
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer.value;
  }

  async window(): Promise<Page> {
    const { url } = await this.next('window');
    const { endpoint } = await this.next('chromium');
    this.browser = await chromium.connectOverCDP(endpoint);
    const pages = this.browser.contexts().flatMap((context) => context.pages());
    const page = pages.find((each) => each.url() === url);
    if (!page)
      throw new Error(`No page shows ${url}; there is ${pages.map((each) => each.url()).join(', ')}`);
    return page;
  }

  stderr(): string {
    return this.text;
  }

  leftOver(): number[] {
    return readdirSync('/proc')
      .map(Number)
      .filter((pid) => pid > 0 && pid !== process.pid && carries(pid, `LATHE_HOME=${this.home}\0`));
  }

  async dispose(): Promise<void> {
    await this.browser?.close().catch(() => undefined);
    if (this.child.exitCode === null && this.child.signalCode === null) {
      this.child.kill('SIGKILL');
      await this.exited;
    }
    for (const pid of this.leftOver()) process.kill(pid, 'SIGKILL');
  }

  private take<E extends ControlEvent>(fits: (event: ControlEvent) => event is E, what: string): Promise<E> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const index = this.untaken.findIndex(fits);
        if (index < 0) return;
        stop();
        const [event] = this.untaken.splice(index, 1);
        resolve(event as E);
      };
      const fail = (why: string): void => {
        stop();
        reject(new Error(`Electron double: ${why} while waiting for ${what}.\n${this.text}`));
      };
      const timer = setTimeout(() => fail(`nothing came for ${WAIT_MS / 1000} s`), WAIT_MS);
      const onExit = (): void => fail('the app ended');
      const stop = (): void => {
        clearTimeout(timer);
        this.takers.delete(look);
        this.child.off('exit', onExit);
      };
      this.takers.add(look);
      this.child.once('exit', onExit);
      look();
    });
  }
}

function carries(pid: number, entry: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(entry);
  } catch {
    return false;
  }
}

/** Starts the app as compiled in dist/ over the double. */
export function launchDouble({ home, args = [], env = {} }: DoubleOptions): ElectronDouble {
  const { PATH, HOME, LANG, SHELL, TMPDIR, USER, LATHE_CHROMIUM } = process.env;
  const own = {
    PATH,
    HOME,
    LANG,
    SHELL,
    TMPDIR,
    USER,
    LATHE_CHROMIUM,
    TERM: 'dumb',
    LATHE_HOME: home,
    ...env,
  };
  const child = spawn(NODE, ['--disable-warning=ExperimentalWarning', START, ROOT, ...args], {
    env: own,
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
  });
  return new Running(child, home);
}
