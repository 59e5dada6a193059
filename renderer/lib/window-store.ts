import { createStore } from './store';

/**
 * Requests that one pane makes of another. Panes don't know each other; they meet here and in `renderer/app`.
 * `activeSession` is the session the chat shows: the chat follows it and sets it (null: the newest, or a new one on the
 * first message). `draft` asks the chat to put text into its composer: it takes the text and sets null again. `review` asks
 * for what waits for the user (of this session, null: the oldest): who shows it takes the focus there and sets null again.
 * `message` asks the chat to show a message of a session, which is or becomes the active one; it sets null again. `turn` asks
 * the same for the beginning of a turn. `conflict` names the conflict of an undo that is shown in the editor's place.
 */
export const windowStore = {
  activeSession: createStore<string | null>(null),
  draft: createStore<{ text: string } | null>(null),
  review: createStore<{ sessionId: string | null } | null>(null),
  message: createStore<{ sessionId: string; position: number } | null>(null),
  turn: createStore<{ sessionId: string; turnId: string } | null>(null),
  conflict: createStore<string | null>(null),
} as const;
