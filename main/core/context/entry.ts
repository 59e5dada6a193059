import type { ModelMessage } from '../model/port';

/** One message of a session with its stored id: what marks, pins and the lens go by. */
export interface ContextEntry {
  readonly id: string;
  readonly message: ModelMessage;
}

export type ToolMessage = Extract<ModelMessage, { role: 'tool' }>;
export type AssistantMessage = Extract<ModelMessage, { role: 'assistant' }>;
export type UserMessage = Extract<ModelMessage, { role: 'user' }>;
