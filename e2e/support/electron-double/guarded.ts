import { EventEmitter } from 'node:events';

export const missing = (name: string): Error =>
  new Error(
    `The Electron double does not implement ${name}. Add it to e2e/support/electron-double, as documented.`,
  );

/** Names that JavaScript itself asks objects for. */
const ASKED_BY_LANGUAGE = new Set([
  'then',
  'toJSON',
  'constructor',
  'inspect',
  'nodeType',
  'asymmetricMatch',
]);

/** The object, which throws when anything is read from or written to it that it doesn't have. */
export function guarded<T extends object>(name: string, target: T): T {
  const known = (key: string | symbol): boolean =>
    typeof key === 'symbol' || key.startsWith('_') || key in target || ASKED_BY_LANGUAGE.has(key);
  return new Proxy(target, {
    get: (object, key) => {
      if (!known(key)) throw missing(`${name}.${String(key)}`);
      const value: unknown = Reflect.get(object, key, object);
      return typeof value === 'function' ? (value as (...args: unknown[]) => unknown).bind(object) : value;
    },
    set: (object, key, value) => {
      if (!known(key)) throw missing(`${name}.${String(key)}`);
      return Reflect.set(object, key, value, object);
    },
  });
}

/** An emitter of the named events; listening to any other throws. */
export class GuardedEmitter extends EventEmitter {
  readonly doubleName: string;
  private readonly events: ReadonlySet<string>;

  constructor(name: string, events: readonly string[]) {
    super();
    this.doubleName = name;
    this.events = new Set(events);
  }

  override on(event: string, listener: (...args: never[]) => void): this {
    this.check(event);
    return super.on(event, listener as (...args: unknown[]) => void);
  }

  override once(event: string, listener: (...args: never[]) => void): this {
    this.check(event);
    return super.once(event, listener as (...args: unknown[]) => void);
  }

  private check(event: string): void {
    if (!this.events.has(event)) throw missing(`the event '${event}' of ${this.doubleName}`);
  }
}

/** Electron's event object: https://www.electronjs.org/docs/latest/api/structures/event */
export interface DoubleEvent {
  defaultPrevented: boolean;
  preventDefault(): void;
}

export function doubleEvent<T extends object>(facts: T): DoubleEvent & T {
  const event = {
    ...facts,
    defaultPrevented: false,
    preventDefault: () => {
      event.defaultPrevented = true;
    },
  };
  return event;
}
