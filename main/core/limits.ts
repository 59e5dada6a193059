/**
 * Defaults of the harness in one place. Sources: the feature contract (H2, H9–H13, X1) and the fault table; settings may
 * override where a setting exists.
 */

/** Model steps per turn by agent (H2). */
export const STEP_CAPS = { agent: 100, plan: 20, ask: 20, explore: 15, general: 20, unnamed: 5 } as const;

/** Read-only calls of one reply that run at the same time (H10). */
export const PARALLEL_READS = 6;
/** Calls of one reply that run at all; the rest get an error result (fault-F80). */
export const CALLS_PER_REPLY = 32;

/** Context window in tokens when neither provider nor table knows better (X1). */
export const DEFAULT_CONTEXT_WINDOW = 128_000;
/** Share of the window at which older tool results are shrunk inside a turn (X1). */
export const IN_TURN_COMPACTION_RATIO = 0.7;
/** Share of the window that in-turn compaction aims for, so that it does not run at every step. */
export const IN_TURN_TARGET_RATIO = 0.5;
/** Newest tool results that in-turn compaction leaves whole (X1). */
export const KEPT_TOOL_RESULTS = 6;
/** Characters that a shrunk tool result keeps at first; the second time it becomes one line (X1). */
export const SHRUNK_RESULT_CHARS = 2_000;

/** How often an answer cut by the provider's output limit is continued (H16). */
export const LENGTH_CONTINUATIONS = 3;
/** How often a reply that holds a tool call as plain text is sent back (fault-F77). */
export const TEXT_CALL_CORRECTIONS = 2;

/** Streamed text is stored and published at most this much after it came. */
export const DELTA_BATCH_MS = 30;

/** Characters of one rules file that go into the prompt; the rest is named with its size. */
export const RULES_FILE_CHARS = 16_000;
/** Characters of all rules files together. */
export const RULES_TOTAL_CHARS = 32_000;

/** Items of a session that a fresh window gets at once; older ones come on request. */
export const SNAPSHOT_ITEMS = 80;

/** A title made from the first message is cut to this many characters. */
export const TITLE_CHARS = 60;
