import { z } from 'zod';
import { domain, event, Nothing, request } from './define';

export const HostKind = z.enum(['electron', 'web']);
export type HostKind = z.infer<typeof HostKind>;

export const AppInfo = z.object({
  name: z.string(),
  version: z.string(),
  host: HostKind,
  /** `linux`, `darwin`, `win32`: key labels and path display depend on it. */
  platform: z.string(),
  homeDir: z.string(),
  dataDir: z.string(),
  logPath: z.string(),
  /** Things that went wrong at start and were worked around (damaged store set aside …): each shown once. */
  startNotices: z.array(z.string()),
});
export type AppInfo = z.infer<typeof AppInfo>;

export const Notice = z.object({
  id: z.string(),
  tone: z.enum(['info', 'warn', 'error']),
  title: z.string(),
  text: z.string(),
});
export type Notice = z.infer<typeof Notice>;

/** Commands that come from outside the page: native menus and second instances. `command` is a palette command id. */
export const app = domain('app', {
  info: request({ input: Nothing, output: AppInfo }),
  /** The newest `maxBytes` bytes of the log as text. */
  readLog: request({
    input: z.object({ maxBytes: z.int().min(1).max(1_000_000).default(200_000) }),
    output: z.object({ path: z.string(), text: z.string() }),
  }),
  /** Asks the host to open an http(s) or mailto link outside the window; other schemes are refused. */
  openExternal: request({ input: z.object({ url: z.string().max(2048) }), output: Nothing }),
  reportError: request({
    input: z.object({ message: z.string().max(4000), stack: z.string().max(20_000).optional() }),
    output: Nothing,
  }),
  /** Tells the host whether the window has unsaved work and whether it is visible (close guard, notifications). */
  windowState: request({
    input: z.object({ dirtyFiles: z.int(), visible: z.boolean(), activeSessionId: z.string().nullable() }),
    output: Nothing,
  }),
  notices: event({ params: Nothing, payload: Notice }),
  commands: event({
    params: Nothing,
    payload: z.object({ command: z.string(), argument: z.unknown().optional() }),
  }),
});
