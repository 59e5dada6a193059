export interface WindowCommand {
  command: string;
  argument?: unknown;
}

/** Commands that come from outside the page (native menus, a second instance) on their way to the windows. */
export class CommandBus {
  private readonly listeners = new Set<(command: WindowCommand) => void>();

  send(command: WindowCommand): void {
    for (const listener of this.listeners) listener(command);
  }

  listen(listener: (command: WindowCommand) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}
