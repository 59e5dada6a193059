import { z } from 'zod';
import { ErrorShape } from '../../../shared/error';
import { TurnEventPayload } from '../../../shared/model/turn-event';
import { ModelMessageSchema } from '../store/stored-message';
import type { Schema } from '../../../shared/schema';

/**
 * Checks a value without rebuilding it: a parsed copy has its keys in the schema's order, and a replay has to write the
 * bytes that were written before.
 */
function checked<T>(schema: Schema<T>) {
  return z.unknown().transform((value, context): T => {
    const result = z.safeParse(schema, value);
    if (result.success) return value as T;
    for (const { message, path } of result.error.issues) context.addIssue({ code: 'custom', message, path });
    return z.NEVER;
  });
}

const Payload = checked(TurnEventPayload);
const NewMessage = checked(z.object({ id: z.string(), message: ModelMessageSchema }));

const Shown = z.object({ text: z.string(), reasoning: z.string() });

/** What a failed promise or stream is rebuilt from: the facts that the turn looks at. */
export const RecordedFailure = z.object({
  error: ErrorShape,
  /** True when it was the signal of Stop that ended it. */
  aborted: z.boolean().optional(),
  partial: Shown.nullable().optional(),
  learnedContextWindow: z.number().optional(),
});
export type RecordedFailure = z.infer<typeof RecordedFailure>;

/**
 * One thing that came into a session from outside, in the order in which it came. A recording is the list of them:
 * given the same list, the turn does the same again. Keys are short since every step of every turn writes some.
 *
 * - `boot` a process took the session up; what an earlier one left unfinished goes no further
 * - `def` a large value under a number; later entries name it as `{"$": number}`
 * - `in` events and messages that did not come from the turn's loop: the user's message, a todo list, a recovery
 * - `turn` a turn starts; `end` it has been closed
 * - `id`, `val` an id, or the answer of a dependency that answers at once
 * - `res`, `err` the `i`-th call of the dependency at path `f` ended
 * - `req` the `n`-th model request with the fingerprints of its parts, but for the first `same` ones, which it shares
 *   with the request before; `ev`, `reply`, `fail` what came back
 * - `emit`, `out` a tool's event, and the outcomes of calls that ran together, named by the first of them
 * - `stop` the user stopped the turn; `forced` it was closed without its loop
 * - `flush` events were stored at this time; `timer` when the batching timer did it
 */
export const TapeEntry = z.discriminatedUnion('k', [
  z.object({ k: z.literal('boot'), version: z.string() }),
  z.object({ k: z.literal('def'), n: z.int(), v: z.unknown() }),
  z.object({
    k: z.literal('in'),
    turn: z.string(),
    payloads: z.array(Payload),
    messages: z.array(NewMessage),
    whole: z.boolean().optional(),
    deferrable: z.boolean().optional(),
  }),
  z.object({ k: z.literal('turn'), turn: z.record(z.string(), z.unknown()) }),
  z.object({ k: z.literal('end') }),
  z.object({ k: z.literal('id'), v: z.string() }),
  z.object({ k: z.literal('val'), f: z.string(), v: z.unknown().optional() }),
  z.object({ k: z.literal('res'), f: z.string(), i: z.int(), v: z.unknown().optional() }),
  z.object({ k: z.literal('err'), f: z.string(), i: z.int(), v: RecordedFailure }),
  z.object({ k: z.literal('req'), n: z.int(), same: z.int(), parts: z.array(z.string()) }),
  z.object({ k: z.literal('ev'), n: z.int(), v: z.unknown() }),
  z.object({ k: z.literal('reply'), n: z.int(), v: z.unknown() }),
  z.object({ k: z.literal('fail'), n: z.int(), v: RecordedFailure }),
  z.object({ k: z.literal('emit'), c: z.string(), v: Payload }),
  z.object({ k: z.literal('out'), c: z.string(), v: z.array(z.unknown()) }),
  z.object({ k: z.literal('stop') }),
  z.object({ k: z.literal('forced') }),
  z.object({ k: z.literal('flush'), at: z.int(), timer: z.boolean().optional() }),
]);
export type TapeEntry = z.infer<typeof TapeEntry>;

/** Where entries are written to. */
export interface TapeWriter {
  note(entry: TapeEntry): void;
  /** The value itself, or a reference to it when it is large and was met before. */
  value(value: unknown): unknown;
}
