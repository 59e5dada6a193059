import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import type { TerminalInfo } from '../../../shared/contract/terminal';
import { AppError } from '../../../shared/error';
import type { Logger } from '../log/logger';
import { openPathJail } from '../workspace/path-jail';
import type { SendOutput } from './audience';
import { chooseShell } from './shell-choice';
import { Terminal } from './terminal';
import { terminalEnvironment } from './terminal-environment';

export interface TerminalServiceOptions {
  /** Absolute real path of the project folder; shells start inside it. */
  root: string;
  /** The setting `terminal.integrated.shell`; '' = the user's own. */
  shell: () => string;
  /** Environment of the login shell. */
  env: NodeJS.ProcessEnv;
  log: Logger;
}

const MAX_TERMINALS = 50;

/** The terminals of one project (shared/contract/terminal.ts). Ended ones stay listed until they are closed. */
export class TerminalService {
  readonly #options: TerminalServiceOptions;
  readonly #terminals = new Map<string, Terminal>();
  readonly #listeners = new Set<(terminals: TerminalInfo[]) => void>();

  constructor(options: TerminalServiceOptions) {
    this.#options = options;
  }

  list(): TerminalInfo[] {
    return [...this.#terminals.values()].map((terminal) => terminal.info());
  }

  /**
   * Starts a shell; one that can't be started gives a terminal that has ended with a message.
   *
   * @param request.cwd workspace path of the folder to start in
   * @throws AppError `bad_argument` (not a folder, too many terminals), `not_found`, and those of the path jail
   */
  async open(request: { cwd: string; cols: number; rows: number }): Promise<TerminalInfo> {
    if (this.#terminals.size >= MAX_TERMINALS) {
      throw new AppError('bad_argument', `There are ${MAX_TERMINALS} terminals already.`, {
        hint: 'Close one first.',
      });
    }
    const terminal = new Terminal({
      id: randomUUID(),
      cwd: await this.#folder(request.cwd),
      env: terminalEnvironment(this.#options.env),
      shell: () => chooseShell(this.#options.shell(), this.#options.env),
      cols: request.cols,
      rows: request.rows,
      onChange: () => this.#changed(),
    });
    this.#terminals.set(terminal.id, terminal);
    await terminal.start();
    const info = terminal.info();
    this.#options.log.info('A terminal was opened.', {
      id: info.id,
      shell: info.shell,
      running: info.running,
    });
    this.#changed();
    return info;
  }

  async #folder(cwd: string): Promise<string> {
    const jail = await openPathJail(this.#options.root);
    const { absolute, exists, relative } = await jail.resolve(cwd);
    if (!exists) {
      throw new AppError('not_found', `The folder ${relative} does not exist.`, {
        hint: 'Open the terminal in another folder.',
      });
    }
    if ((await stat(absolute)).isDirectory()) return absolute;
    throw new AppError('bad_argument', `${relative} is not a folder.`, {
      hint: 'Open the terminal in the folder it is in.',
    });
  }

  #get(id: string): Terminal {
    const terminal = this.#terminals.get(id);
    if (terminal) return terminal;
    throw new AppError('not_found', 'This terminal was closed.', { hint: 'Open a new one.', detail: { id } });
  }

  /**
   * Types into the terminal; resolves when the text is queued, not when the program has read it.
   *
   * @throws AppError `not_found`, `conflict` when the shell has ended, `busy` when 8 million characters wait already
   */
  async write(id: string, data: string): Promise<void> {
    this.#get(id).write(data);
  }

  /** Clamped to 2 × 1 … 1000 × 1000; a closed or ended terminal ignores it (case-X04). */
  resize(id: string, cols: number, rows: number): void {
    this.#terminals.get(id)?.resize(cols, rows);
  }

  /** A window has drawn `chars` more characters. Without `clientId` it counts for every window. */
  acknowledge(id: string, chars: number, clientId: string | null = null): void {
    this.#terminals.get(id)?.acknowledge(chars, clientId);
  }

  async restart(id: string): Promise<TerminalInfo> {
    const terminal = this.#get(id);
    await terminal.restart();
    return terminal.info();
  }

  /** Ends the shell with what runs in its foreground and forgets the terminal. */
  async close(id: string): Promise<void> {
    const terminal = this.#terminals.get(id);
    if (!terminal) return;
    this.#terminals.delete(id);
    this.#changed();
    await terminal.end();
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#terminals.keys()].map((id) => this.close(id)));
  }

  /**
   * Sends `replay` at once, then output as it comes and `exit`. After a restart another `replay` begins the new screen.
   *
   * @param clientId the window, as it names itself in `acknowledge`
   * @returns ends the subscription
   * @throws AppError `not_found`
   */
  subscribe(id: string, send: SendOutput, clientId = ''): () => void {
    return this.#get(id).subscribe(send, clientId);
  }

  onChange(listener: (terminals: TerminalInfo[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #changed(): void {
    const list = this.list();
    for (const listener of [...this.#listeners]) listener(list);
  }
}
