import type { LoggedMessage } from '../turn-maker';

/** Tools whose logs can be read. */
export type ForeignToolId = 'claude' | 'codex' | 'opencode' | 'pi';

/** One session of another tool, as far as its place tells without reading it. */
export interface ForeignSource {
  /** The tool's own id of the session: the same one is not brought in twice. */
  id: string;
  /** File that holds it. */
  path: string;
}

/** A session of another tool as it was read. */
export interface ForeignLog {
  messages: LoggedMessage[];
  title: string | null;
  /** Folder that the tool worked in. */
  cwd: string | null;
  /** Records that could not be read. */
  skipped: number;
}

export interface ForeignTool {
  readonly id: ForeignToolId;
  /** For people. */
  readonly name: string;
  /** Where the tool keeps its sessions. */
  usualFolder(env: Readonly<Record<string, string | undefined>>, home: string): string;
  /** All sessions below a folder; nothing where there is none. */
  find(folder: string, signal: AbortSignal): Promise<ForeignSource[]>;
  /** @returns null when the file is none of a format that is known here */
  read(source: ForeignSource, signal: AbortSignal): Promise<ForeignLog | null>;
}

const MIN_TIME = Date.UTC(2015, 0);

/** Epoch milliseconds of a time as logs write it; `before` for anything that is none. */
export function timeOf(value: unknown, before: number): number {
  const time = typeof value === 'number' ? value : typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isFinite(time) && time > MIN_TIME ? Math.round(time) : before;
}

/** Texts that tools put into a user message by themselves. */
const INJECTED =
  /^\s*(?:<(?:environment_context|user_instructions|permissions|turn_aborted|collaboration_mode|local-command|command-name|command-message|system-reminder|task-notification)\b|# AGENTS\.md instructions|\[Request interrupted by user)/;

export const isInjected = (text: string): boolean => INJECTED.test(text);
