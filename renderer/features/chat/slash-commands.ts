import type { Mode } from '../../../shared/model/mode';

/** What a slash command does; the composer carries it out. */
export type SlashAction =
  | { kind: 'mode'; mode: Mode }
  | { kind: 'new' }
  | { kind: 'sessions' }
  | { kind: 'model' }
  | { kind: 'stop' }
  | { kind: 'retry' }
  | { kind: 'continue' }
  | { kind: 'compact' }
  | { kind: 'aside' }
  | { kind: 'undo' }
  | { kind: 'redo' }
  | { kind: 'help' };

export interface SlashCommand {
  readonly name: string;
  readonly text: string;
  readonly action: SlashAction;
  /** Offered only while a turn runs, or only while none does. */
  readonly when?: 'running' | 'idle';
}

export const SLASH_COMMANDS: readonly SlashCommand[] = [
  {
    name: 'agent',
    text: 'Read, edit and run; or the agent named after it',
    action: { kind: 'mode', mode: 'agent' },
  },
  { name: 'build', text: 'Same as /agent', action: { kind: 'mode', mode: 'agent' } },
  { name: 'plan', text: 'Read and plan; change nothing', action: { kind: 'mode', mode: 'plan' } },
  { name: 'ask', text: 'Read and answer; change nothing', action: { kind: 'mode', mode: 'ask' } },
  { name: 'model', text: 'Choose a model for this session', action: { kind: 'model' } },
  { name: 'new', text: 'Start a new session', action: { kind: 'new' } },
  { name: 'sessions', text: 'Open another session', action: { kind: 'sessions' } },
  {
    name: 'continue',
    text: 'Go on from where the last turn ended',
    action: { kind: 'continue' },
    when: 'idle',
  },
  { name: 'retry', text: 'Ask the model again', action: { kind: 'retry' }, when: 'idle' },
  {
    name: 'compact',
    text: 'Summarise the conversation; name what to keep in mind',
    action: { kind: 'compact' },
    when: 'idle',
  },
  {
    name: 'aside',
    text: 'Ask something on the side: answered from here, kept out of the conversation',
    action: { kind: 'aside' },
  },
  { name: 'undo', text: 'Take back what the last turn did to files', action: { kind: 'undo' }, when: 'idle' },
  { name: 'redo', text: 'Do again what was undone last', action: { kind: 'redo' }, when: 'idle' },
  { name: 'stop', text: 'Stop the running turn', action: { kind: 'stop' }, when: 'running' },
  { name: 'help', text: 'List all commands', action: { kind: 'help' } },
];

const available = (running: boolean) =>
  SLASH_COMMANDS.filter(({ when }) => when === undefined || (when === 'running') === running);

/** Commands that fit what is typed, while only the command's name is typed; else none. */
export function matchSlash(text: string, running: boolean): SlashCommand[] {
  const query = /^\/(\w*)$/.exec(text)?.[1]?.toLowerCase();
  if (query === undefined) return [];
  return available(running).filter(({ name }) => name.startsWith(query));
}

/** The command that a message begins with, and the text after it; null when it is no command's name (a path, say). */
export function parseSlash(text: string, running: boolean): { command: SlashCommand; rest: string } | null {
  const match = /^\/(\w+)(?:\s+([\s\S]*))?$/.exec(text.trim());
  const command = available(running).find(({ name }) => name === match?.[1]?.toLowerCase());
  return command ? { command, rest: match?.[2]?.trim() ?? '' } : null;
}
