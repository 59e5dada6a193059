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

/** Identical calls in a row: a reminder, then the call is refused for one step, then the turn stops (H3). */
export const REPEATED_CALLS = { nudge: 8, refuse: 12, stop: 16 } as const;
/** Rounds of a cycle count when they are at least this many; calls in all as for {@link REPEATED_CALLS}. */
export const CYCLE_ROUNDS = { nudge: 3, refuse: 4, stop: 5 } as const;
/** Longest cycle of calls that is looked for. */
export const CYCLE_LENGTH = 4;
/** Among the latest identical calls, results that changed this often are progress and no loop (polling). */
export const POLLING_CHANGES = 2;
/** Steps in a row that say nearly the same again. */
export const SIMILAR_TEXTS = { nudge: 4, refuse: 6, stop: 8 } as const;
/** Shared share of three-word shingles (Jaccard) from which two texts count as nearly the same. */
export const SIMILARITY = 0.75;
/** Words below which a text is too short to be compared. */
export const COMPARED_WORDS = 20;
/** Search calls in a row without a read (H4). */
export const SEARCHES_WITHOUT_READ = 6;
/** Read-only steps in a row without an edit when a change was asked for (H4). */
export const READ_ONLY_STEPS = 10;
/** Steps in a row that do nothing but list folders (H4). */
export const FOLDER_LISTINGS = 4;
/** Edits in a row whose text was not found (H4). */
export const EDIT_MISSES = 3;
/** Shares of the step cap at which the agent is told (H5). */
export const BUDGET_SHARES = [0.75, 0.9, 0.95] as const;
/** Last steps in which only attempt_completion counts (H5); a cap below four keeps two steps to work in. */
export const CLOSING_STEPS = 2;
/** Failed calls of a turn from which on "auto" takes the strongest model (H14). */
export const FLAGSHIP_AFTER_ERRORS = 2;
/** How often attempt_completion is sent back before it is accepted with a warning (H6). */
export const COMPLETION_REVIEWS = 2;

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

/** Share of the window from which the older half is summarised between turns, when there are enough messages (X2). */
export const BETWEEN_TURNS_RATIO = 0.65;
/** Messages that a session must have before its older half is summarised (X2). */
export const BETWEEN_TURNS_MESSAGES = 10;
/** Share of the window from which nearly everything is summarised (X3). */
export const FULL_COMPACTION_RATIO = 0.85;
/** Newest messages that a full compaction leaves whole (X3). */
export const KEPT_MESSAGES = { least: 2, most: 6 } as const;
/** Requests that one summary may take, too long ones and useless ones counted (fault-F106). */
export const SUMMARY_TRIES = 3;
/** Characters of a summary at most; a smaller window lowers it (case-K06). */
export const SUMMARY_CHARS = 16_000;
/** Share of the window that a summary may take. */
export const SUMMARY_WINDOW_SHARE = 0.1;
/** Compactions of one turn that may bring no headroom before it gives up (fault-F107). */
export const COMPACTIONS_WITHOUT_HEADROOM = 2;
/** Share of the window that pinned items may take together; more, and compaction would never get room. */
export const PINNED_WINDOW_SHARE = 0.25;
