import { EventEmitter } from 'node:events';
import { guarded } from './guarded';

export type InvokeHandler = (event: unknown, ...args: unknown[]) => unknown;

const handlers = new Map<string, InvokeHandler>();
const emitter = new EventEmitter();

/** https://www.electronjs.org/docs/latest/api/ipc-main */
export const ipcMain = guarded('ipcMain', {
  handle(channel: string, handler: InvokeHandler): void {
    if (handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`);
    handlers.set(channel, handler);
  },
  on(channel: string, listener: (event: unknown, ...args: unknown[]) => void): void {
    emitter.on(channel, listener);
  },
});

/** A message of `ipcRenderer.send`; nobody has to listen. */
export function receive(event: unknown, channel: string, args: readonly unknown[]): void {
  emitter.emit(channel, event, ...args);
}

/**
 * A message of `ipcRenderer.invoke`. Of an error only the message crosses:
 * https://www.electronjs.org/docs/latest/api/ipc-main#ipcmainhandlechannel-listener
 */
export async function invoke(
  event: unknown,
  channel: string,
  args: readonly unknown[],
): Promise<{ value: unknown } | { error: string }> {
  try {
    const handler = handlers.get(channel);
    if (!handler) throw new Error(`No handler registered for '${channel}'`);
    const value: unknown = await handler(event, ...args);
    // Results cross by structured clone, which refuses functions and the like.
    return { value: structuredClone(value) };
  } catch (error) {
    return { error: `Error invoking remote method '${channel}': ${String(error)}` };
  }
}
