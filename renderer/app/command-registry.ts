/** Something the user can do by name: from the palette, a shortcut, a menu or the host's own menu. */
export interface Command {
  /** `area.verb`, stable: host menus and key bindings name it. */
  id: string;
  /** As the palette shows it, with its area: `View: Toggle side bar`. */
  title: string;
  icon?: string;
  /** Shortcuts as `parseChord` reads them; the first one is shown. */
  keys?: readonly string[];
  /** False when it makes no sense now: not listed, and its shortcut goes to the page. */
  when?: () => boolean;
  /** True keeps it out of the palette (it needs an argument, or it is the palette). */
  hidden?: boolean;
  run: (argument?: unknown) => void | Promise<void>;
}

export interface CommandRegistry {
  /** Adds commands; the returned function takes them out again. A later command replaces one of the same id. */
  register(commands: readonly Command[]): () => void;
  get(id: string): Command | undefined;
  /** What can be done now, in the order of registration. */
  available(): readonly Command[];
  all(): readonly Command[];
  /** Runs a command by id; false when it is unknown or makes no sense now. Failures go to `onError`. */
  run(id: string, argument?: unknown): boolean;
}

const isAvailable = (command: Command): boolean => command.when?.() ?? true;

export function createCommandRegistry(onError: (error: unknown, title: string) => void): CommandRegistry {
  const byId = new Map<string, Command>();
  const start = async (command: Command, argument: unknown): Promise<void> => command.run(argument);
  return {
    register: (commands) => {
      for (const command of commands) byId.set(command.id, command);
      return () => {
        for (const command of commands) if (byId.get(command.id) === command) byId.delete(command.id);
      };
    },
    get: (id) => byId.get(id),
    available: () => [...byId.values()].filter(isAvailable),
    all: () => [...byId.values()],
    run: (id, argument) => {
      const command = byId.get(id);
      if (!command || !isAvailable(command)) return false;
      start(command, argument).catch((error: unknown) => onError(error, `${command.title} failed`));
      return true;
    },
  };
}
