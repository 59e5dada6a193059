import { createContext, use } from 'react';
import { AppError } from '../../../shared/error';
import type { EditRef } from '../../lib/diff/edit-ref';
import type { OpenSession } from '../../lib/session-store';
import type { ChatModel } from './chat-model';

/** What the window offers to the chat. */
export interface ChatHost {
  onOpenFile(path: string, line?: number): void;
  onOpenProviderSetup(): void;
  /** Runs a command of the window by its id; the chat's menus offer some that belong to sessions. */
  onCommand?(command: string): void;
  /** Shows what the next request is made of. */
  onShowContext?(): void;
  /** Puts an edit side by side in the editor; rejects with an AppError when a side can't be had. */
  onShowDiff?(edit: EditRef): Promise<void>;
}

export interface ChatScope extends ChatHost {
  readonly model: ChatModel;
}

export const ChatContext = createContext<ChatScope | null>(null);
export const SessionContext = createContext<OpenSession | null>(null);

/** @throws AppError `internal` outside the chat pane */
export function useChat(): ChatScope {
  const scope = use(ChatContext);
  if (!scope) throw new AppError('internal', 'useChat was called outside the chat pane.');
  return scope;
}

/** @throws AppError `internal` outside an open session */
export function useSession(): OpenSession {
  const session = use(SessionContext);
  if (!session) throw new AppError('internal', 'useSession was called without an open session.');
  return session;
}
