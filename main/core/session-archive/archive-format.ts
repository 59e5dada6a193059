import { z } from 'zod';
import { Mode } from '../../../shared/model/mode';
import { TodoItem } from '../../../shared/model/todo';
import { ItemMark } from '../context/records';

/** Names of the files in a session's folder. */
export const ARCHIVE_FILES = {
  /** OpenAI messages, one a line: all that other tools need. */
  history: 'chat_history.jsonl',
  /** What the messages are in Lathe, line by line: id, turn, time, opaque provider data. */
  index: 'message_index.jsonl',
  summary: 'summary.json',
  events: 'events.jsonl',
  compaction: 'compaction.json',
  checkpoints: 'compaction_checkpoints',
  recording: 'recording.jsonl',
} as const;

export const ARCHIVE_FORMAT = 'lathe-session';
export const ARCHIVE_VERSION = 1;

/** Limits for what comes from outside. Sizes in bytes. */
export const ARCHIVE_LIMITS = {
  file: 1_500_000_000,
  line: 16_000_000,
  json: 8_000_000,
  lines: 2_000_000,
  compactions: 1_000,
} as const;

const short = z.string().max(10_000);

/** `summary.json`: metadata, and what the agent is reminded of when the session goes on. Every field may be missing. */
export const ArchiveSummary = z.object({
  format: z.literal(ARCHIVE_FORMAT).optional().catch(undefined),
  version: z.int().optional().catch(undefined),
  app: z.string().max(100).optional().catch(undefined),
  id: z.string().max(128).optional().catch(undefined),
  title: z.string().max(2_000).optional().catch(undefined),
  mode: Mode.optional().catch(undefined),
  model: z.string().max(300).nullable().optional().catch(undefined),
  agent: z.string().max(200).nullable().optional().catch(undefined),
  origin: z.string().max(40).optional().catch(undefined),
  project: z.object({ name: short, path: short }).optional().catch(undefined),
  created_at: z.int().min(0).optional().catch(undefined),
  updated_at: z.int().min(0).optional().catch(undefined),
  reminders: z
    .object({ todos: z.array(TodoItem).max(256).catch([]), last_fact: short.catch('') })
    .optional()
    .catch(undefined),
  counts: z.record(z.string(), z.int()).optional().catch(undefined),
  /** Items of the context that the user pinned or took out, by the message's id. */
  marks: z
    .array(z.tuple([z.string().max(300), ItemMark]))
    .max(100_000)
    .optional()
    .catch(undefined),
});
export type ArchiveSummary = z.infer<typeof ArchiveSummary>;

/** A line of `message_index.jsonl`. */
export const IndexLine = z.object({
  id: z.string().min(1).max(128),
  turnId: z.string().min(1).max(128),
  at: z.int().min(0),
  opaque: z.object({ provider: z.string().max(200), data: z.unknown() }).optional(),
});
export type IndexLine = z.infer<typeof IndexLine>;

/** `compaction.json` and each file of `compaction_checkpoints/`. */
export const ArchiveCompaction = z.object({
  boundary_index: z.int().min(1),
  prefix_hash: z.string().max(200),
  summary: z.string().max(ARCHIVE_LIMITS.json),
  kept: z.string().max(ARCHIVE_LIMITS.json).default(''),
  tier: z.enum(['between_turns', 'full']).default('full'),
  focus: z.string().max(2_000).default(''),
  made_by: z.string().max(300).default(''),
  before_tokens: z.int().min(0).default(0),
  after_tokens: z.int().min(0).default(0),
  at: z.int().min(0).default(0),
  undone_at: z.int().min(0).nullable().default(null),
});
export type ArchiveCompaction = z.infer<typeof ArchiveCompaction>;
