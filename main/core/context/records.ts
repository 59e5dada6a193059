import { z } from 'zod';
import type { UserText } from './compaction/constraints';

/** What the user did to one item: it wins over what the harness would do. */
export const ItemMark = z.enum(['pinned', 'evicted', 'short', 'stub']);
export type ItemMark = z.infer<typeof ItemMark>;

/** One compaction as kept for good (X4): the audit trail, and what the next requests are made with until it is undone. */
export interface CompactionRecord {
  id: string;
  sessionId: string;
  tier: 'between_turns' | 'full';
  /** What the user asked to keep in mind (`/compact …`); '' without. */
  focus: string;
  /** SHA-256 over the messages it replaces; another hash means that the history was changed, and it does not count. */
  prefixHash: string;
  /** How many messages from the start of the session it replaces. */
  replacedCount: number;
  summary: string;
  /** What is kept word for word beside the summary: constraints, last request, to-do list, rules in play. */
  kept: string;
  /** `provider/model`, or `local` when no model could write it. */
  madeBy: string;
  beforeTokens: number;
  afterTokens: number;
  /** Epoch milliseconds. */
  at: number;
  undoneAt: number | null;
}

export interface ContextStore {
  /** All of a session, oldest first, undone ones too. */
  compactions(sessionId: string): CompactionRecord[];
  addCompaction(record: CompactionRecord): void;
  /** @throws AppError `not_found` when there is none that stands */
  undoCompaction(sessionId: string, id: string, at: number): void;
  /** Marks by item id (a stored message's id). */
  marks(sessionId: string): Map<string, ItemMark>;
  setMark(sessionId: string, itemId: string, mark: ItemMark | null): void;
  /** What the user wrote, from the event log: without what the harness put beside it. Oldest first. */
  userTexts(sessionId: string): UserText[];
}
