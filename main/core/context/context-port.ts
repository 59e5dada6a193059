import type { ModelMessage } from '../model/port';
import type { UserText } from './compaction/constraints';
import type { CompactionRecord, ItemMark } from './records';

/** What a compaction knows before it is stored. */
export type CompactionDraft = Omit<CompactionRecord, 'id' | 'sessionId' | 'at' | 'undoneAt'>;

/**
 * What requests of one session are made with besides its messages. Plain values in and out: turns are recorded through
 * this and replayed from its answers.
 */
export interface ContextPort {
  /** Marks of the user by item id; the same array while nothing changes. */
  marks(): readonly (readonly [string, ItemMark])[];
  /** Compactions, oldest first; the same array while nothing changes. */
  compactions(): readonly CompactionRecord[];
  addCompaction(draft: CompactionDraft): CompactionRecord;
  /** What the user wrote, oldest first. */
  userTexts(): readonly UserText[];
  /** Rules that touched files brought into play, as the model was told them; '' for none. */
  rulesInPlay(): string;
  /** Rules for files that a call touches, once each, to stand behind its result; '' for none. */
  rulesFor(paths: readonly string[]): Promise<string>;
  /** Tokens that this model counts per token of our own estimate. */
  ratio(model: string): number;
  /** Takes in what the provider counted against what was estimated; the new ratio. */
  learn(model: string, reportedTokens: number, estimatedTokens: number): number;
  /** Lets the memory keep what is worth keeping before the messages leave the context (X5). */
  flushFacts(messages: readonly ModelMessage[], signal: AbortSignal): Promise<void>;
}

/** What the memory plugs in: facts of messages that are about to be summarised. Must not throw for what it can't keep. */
export type FlushFacts = (
  sessionId: string,
  messages: readonly ModelMessage[],
  signal: AbortSignal,
) => Promise<void>;
