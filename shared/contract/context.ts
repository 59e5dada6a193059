import { z } from 'zod';
import { SessionId } from '../model/ids';
import { domain, event, Nothing, request } from './define';

/** What of an item the next request holds. `summarised`: it stands in a summary only. */
export const ContextItemState = z.enum(['whole', 'shrunk', 'stub', 'pinned', 'evicted', 'summarised']);
export type ContextItemState = z.infer<typeof ContextItemState>;

/** `pin` keeps it word for word in every later request; `evict` takes it out; `collapse` shortens it one step; the others undo. */
export const ContextAction = z.enum(['pin', 'unpin', 'evict', 'collapse', 'restore']);
export type ContextAction = z.infer<typeof ContextAction>;

export const ContextItem = z.object({
  /** A stored message's id, or `part:…` for what comes before the history. */
  id: z.string(),
  kind: z.enum(['part', 'tools', 'summary', 'user', 'assistant', 'result', 'note']),
  title: z.string(),
  /** In the next request; 0 for what is not in it by itself. */
  tokens: z.int(),
  /** Whole. */
  fullTokens: z.int(),
  state: ContextItemState,
  /** What can be done with it now. */
  actions: z.array(ContextAction),
});
export type ContextItem = z.infer<typeof ContextItem>;

/** One rules file and why it is, or is not, in the prompt. */
export const RuleInfo = z.object({
  /** Relative to the project folder, `~/…` for the user's own, absolute for the machine's. */
  path: z.string(),
  origin: z.enum(['project', 'user', 'machine']),
  scope: z.enum(['always', 'files', 'folder', 'offered', 'manual']),
  active: z.boolean(),
  /** One sentence: "matches src/a.ts", "always", "offered by its description". */
  why: z.string(),
  tokens: z.int(),
  chars: z.int(),
  /** True when only a part of it fits the limits. */
  cut: z.boolean(),
  hiddenCharacters: z.int(),
  globs: z.array(z.string()),
  imports: z.array(z.string()),
  problems: z.array(z.string()),
});
export type RuleInfo = z.infer<typeof RuleInfo>;

export const CompactionInfo = z.object({
  id: z.string(),
  tier: z.enum(['between_turns', 'full']),
  focus: z.string(),
  /** `provider/model`, or `local`. */
  madeBy: z.string(),
  replacedMessages: z.int(),
  beforeTokens: z.int(),
  afterTokens: z.int(),
  at: z.int(),
  undoneAt: z.int().nullable(),
  /** `standing`: requests are made with it. `superseded`: a later one stands for it. `stale`: the history was changed. */
  state: z.enum(['standing', 'superseded', 'undone', 'stale']),
  summary: z.string(),
  kept: z.string(),
});
export type CompactionInfo = z.infer<typeof CompactionInfo>;

/** The next request of a session, item by item in its order. */
export const NextContext = z.object({
  sessionId: SessionId,
  /** `provider/model`; null when none is set up. */
  model: z.string().nullable(),
  window: z.int(),
  tokens: z.int(),
  /** Tokens this model counts per token of our estimate, as learnt so far. */
  ratio: z.number(),
  /** Shares of the window at which the harness acts. */
  marks: z.object({ trim: z.number(), olderHalf: z.number(), full: z.number() }),
  pinned: z.object({ tokens: z.int(), limit: z.int() }),
  items: z.array(ContextItem),
  /** Summarised messages that are not listed in `items`. */
  unlisted: z.int(),
  rules: z.array(RuleInfo),
  compactions: z.array(CompactionInfo),
});
export type NextContext = z.infer<typeof NextContext>;

export const context = domain('context', {
  /** @param summarised list also the messages that a summary stands for */
  next: request({
    input: z.object({ sessionId: SessionId, summarised: z.boolean().default(false) }),
    output: NextContext,
  }),
  /** An item's text: as the next request holds it, and whole. At most 200,000 characters each. */
  item: request({
    input: z.object({ sessionId: SessionId, itemId: z.string().max(200) }),
    output: z.object({ sent: z.string().nullable(), whole: z.string() }),
  }),
  /** Refused with a reason when it can't be: pins over their limit, the request that is being worked on … */
  mark: request({
    input: z.object({ sessionId: SessionId, itemId: z.string().max(200), action: ContextAction }),
    output: Nothing,
  }),
  /** The next request is made of the messages again that this compaction replaced. The newest one first. */
  undoCompaction: request({
    input: z.object({ sessionId: SessionId, compactionId: z.string().max(200) }),
    output: z.object({ tokens: z.int() }),
  }),
  /** Rules of the open project, without a session too. */
  rules: request({ input: z.object({ sessionId: SessionId.nullable() }), output: z.array(RuleInfo) }),
  /** Marks or compactions of a session changed. */
  changed: event({ params: Nothing, payload: z.object({ sessionId: SessionId }) }),
});
