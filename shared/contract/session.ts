import { z } from 'zod';
import { ImageMime } from '../image/image-facts';
import { MessageId, SessionId, TurnId, WorkspacePath } from '../model/ids';
import { Mode } from '../model/mode';
import { SessionSummary } from '../model/session';
import { SessionView } from '../model/session-view';
import { TurnEvent } from '../model/turn-event';
import { domain, event, Nothing, request } from './define';

/** A message that a search found. */
export const SessionHit = z.object({
  /** Place of the message in its session: see `session.locate`. */
  position: z.int(),
  role: z.enum(['user', 'assistant', 'tool']),
  /** Epoch milliseconds. */
  at: z.int(),
  /** One line of its text. */
  text: z.string(),
  /** What was searched for, in `text`: UTF-16 offsets, end exclusive. */
  ranges: z.array(z.tuple([z.int(), z.int()])),
});
export type SessionHit = z.infer<typeof SessionHit>;

export const SessionFound = z.object({
  session: SessionSummary,
  /** Where its project is now. */
  projectPath: z.string(),
  /** The newest hits, a few of them; none when only the title fits. */
  hits: z.array(SessionHit),
  /** How many messages were found in it. */
  count: z.int(),
});
export type SessionFound = z.infer<typeof SessionFound>;

/** Other tools whose sessions can be brought in. */
export const ForeignToolId = z.enum(['claude', 'codex', 'opencode', 'pi']);
export type ForeignToolId = z.infer<typeof ForeignToolId>;

export const FoundTool = z.object({
  tool: ForeignToolId,
  name: z.string(),
  /** Where its sessions are. */
  path: z.string(),
  sessions: z.int(),
  /** How many of them are here already. */
  known: z.int(),
});
export type FoundTool = z.infer<typeof FoundTool>;

const AbsolutePath = z.string().min(1).max(4096);

export const session = domain('session', {
  /** Sessions of the open project, newest first. `query` filters by title. */
  list: request({
    input: z.object({ query: z.string().max(200).default('') }),
    output: z.array(SessionSummary),
  }),
  create: request({
    input: z.object({
      mode: Mode.default('agent'),
      model: z.string().nullable().default(null),
      /** Name of an agent, which brings its mode; null: the mode's own. */
      agent: z.string().max(60).nullable().default(null),
    }),
    output: SessionSummary,
  }),
  get: request({ input: z.object({ id: SessionId }), output: SessionSummary }),
  rename: request({
    input: z.object({ id: SessionId, title: z.string().min(1).max(200) }),
    output: SessionSummary,
  }),
  remove: request({ input: z.object({ id: SessionId }), output: Nothing }),
  /** Mode and model can change in mid-session, also while a turn runs (from its next step on). */
  configure: request({
    input: z.object({
      id: SessionId,
      mode: Mode.optional(),
      model: z.string().nullable().optional(),
      /** An agent brings its mode; a mode goes back to its own agent. */
      agent: z.string().max(60).nullable().optional(),
      /** What it may spend with its subagents; null follows the setting, 0 is no limit. */
      budgetMicros: z.int().min(0).nullable().optional(),
      budgetTokens: z.int().min(0).nullable().optional(),
    }),
    output: SessionSummary,
  }),
  /**
   * Summarises the conversation now (`/compact`); `focus` says what to keep in mind above all. Null when there is nothing
   * (new) to summarise. Takes as long as the model does; no turn starts meanwhile (`busy`).
   */
  compact: request({
    input: z.object({ id: SessionId, focus: z.string().max(2000).default('') }),
    output: z
      .object({
        compactionId: z.string(),
        beforeTokens: z.int(),
        afterTokens: z.int(),
        note: z.string(),
      })
      .nullable(),
  }),
  /** A copy up to a message (null: all of it): ending right before it, or after what answered it. */
  fork: request({
    input: z.object({
      id: SessionId,
      messageId: MessageId.nullable().default(null),
      keep: z.enum(['before', 'through']).default('through'),
    }),
    output: SessionSummary,
  }),
  /**
   * Takes the chat back to right before a message that began a turn; files stay as they are. What is cut off stays as a
   * session of its own unless `keepFork` is false. `conflict` when a part in between can't be read.
   */
  rewind: request({
    input: z.object({ id: SessionId, messageId: MessageId, keepFork: z.boolean().default(true) }),
    output: z.object({ text: z.string(), kept: SessionSummary.nullable() }),
  }),
  /** Says something else in place of an earlier message: in this session, with the old branch kept, or in a fork. */
  edit: request({
    input: z.object({
      id: SessionId,
      messageId: MessageId,
      text: z.string().min(1).max(1_000_000),
      how: z.enum(['rewind', 'fork']).default('rewind'),
      mentions: z.array(WorkspacePath).max(100).default([]),
      openFiles: z.array(WorkspacePath).max(50).default([]),
    }),
    output: z.object({ sessionId: SessionId, turnId: TurnId, kept: SessionSummary.nullable() }),
  }),
  /** A picture of a message: events and views name it by message and place. `not_found` when it is not there any more. */
  image: request({
    input: z.object({ id: SessionId, messageId: MessageId, index: z.int().min(0).max(1000) }),
    output: z.object({ mime: ImageMime, base64: z.string() }),
  }),
  /** Messages and titles that hold every word of `query`, over all projects or the open one; any text is valid. */
  search: request({
    input: z.object({ query: z.string().max(300), everywhere: z.boolean().default(true) }),
    output: z.array(SessionFound),
  }),
  /** Number of the item that shows the message at a position: see `older`. */
  locate: request({
    input: z.object({ id: SessionId, position: z.int().min(1) }),
    output: z.object({ index: z.int().nullable() }),
  }),
  /** What was said after a position, in order, for scripts: ids for `fork`, `rewind` and `edit`. Long texts are cut. */
  messages: request({
    input: z.object({
      id: SessionId,
      after: z.int().min(0).default(0),
      limit: z.int().min(1).max(500).default(100),
    }),
    output: z.array(
      z.object({
        id: MessageId,
        position: z.int(),
        role: z.enum(['user', 'assistant', 'tool']),
        at: z.int(),
        text: z.string(),
        /** How many images it has: see `image`. */
        images: z.int().optional(),
      }),
    ),
  }),
  /** Writes a session into a folder that is new or empty; `into`: into a new folder inside of `path`. */
  export: request({
    input: z.object({ id: SessionId, path: AbsolutePath, into: z.boolean().default(false) }),
    output: z.object({
      path: z.string(),
      messages: z.int(),
      events: z.int(),
      files: z.array(z.string()),
    }),
  }),
  /** Reads such a folder, or one with a `chat_history.jsonl` alone, into a new session of the open project. */
  import: request({
    input: z.object({ path: AbsolutePath }),
    output: z.object({
      session: SessionSummary,
      messages: z.int(),
      events: z.int(),
      /** Lines that could not be read and were left out. */
      skipped: z.int(),
      /** System messages, which are never taken over. */
      instructions: z.int(),
    }),
  }),
  /** Other tools that have sessions on this machine. Their files are only read, here and by `importForeign`. */
  foreign: request({ input: Nothing, output: z.array(FoundTool) }),
  /** Brings in the sessions of a tool that are not here yet, each into the project of the folder it was made in. */
  importForeign: request({
    input: z.object({
      tool: ForeignToolId,
      /** Where the tool keeps them; null: its usual place. */
      path: AbsolutePath.nullable().default(null),
      /** Only those made in this folder. */
      onlyFolder: AbsolutePath.nullable().default(null),
    }),
    output: z.object({
      imported: z.array(SessionId),
      known: z.int(),
      /** Held no message. */
      empty: z.int(),
      /** Could not be read, with why for the first ones. */
      failed: z.int(),
      problems: z.array(z.string()),
      /** Records that could not be read in those that could. */
      skipped: z.int(),
    }),
  }),
  /** Items before `beforeKey`, oldest first: the renderer holds a window only. */
  older: request({
    input: z.object({ id: SessionId, before: z.int(), limit: z.int().min(1).max(200) }),
    output: z.object({ view: SessionView }),
  }),
  /**
   * First a snapshot (the newest items), then every event after it in order. After a break subscribe again: the new
   * snapshot replaces the old view.
   */
  events: event({
    params: z.object({ id: SessionId }),
    payload: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('snapshot'), view: SessionView, summary: SessionSummary }),
      z.object({ kind: z.literal('events'), events: z.array(TurnEvent) }),
      z.object({ kind: z.literal('summary'), summary: SessionSummary }),
    ]),
  }),
  changed: event({
    params: Nothing,
    payload: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('updated'), summary: SessionSummary }),
      z.object({ kind: z.literal('removed'), id: SessionId }),
    ]),
  }),
});
