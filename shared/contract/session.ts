import { z } from 'zod';
import { SessionId } from '../model/ids';
import { Mode } from '../model/mode';
import { SessionSummary } from '../model/session';
import { SessionView } from '../model/session-view';
import { TurnEvent } from '../model/turn-event';
import { domain, event, Nothing, request } from './define';

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
