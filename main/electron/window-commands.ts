import type { WindowCommand } from '../core/window/command-bus';

type Listener = (command: WindowCommand) => void;

/** Commands of the menu, of notifications and of a second instance; kept until a page is there to run them. */
export class WindowCommands {
  private readonly listeners = new Set<Listener>();
  private waiting: WindowCommand[] = [];

  /** @param showWindow brings the window to the front, opening it when there is none */
  constructor(private readonly showWindow: () => void) {}

  run(command: string, argument?: unknown): void {
    this.showWindow();
    const full = argument === undefined ? { command } : { command, argument };
    if (this.listeners.size === 0) this.waiting.push(full);
    for (const listener of this.listeners) listener(full);
  }

  listen(listener: Listener): () => void {
    this.listeners.add(listener);
    for (const command of this.waiting.splice(0)) listener(command);
    return () => this.listeners.delete(listener);
  }
}
