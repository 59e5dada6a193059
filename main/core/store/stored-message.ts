import { z } from 'zod';
import type { ModelMessage } from '../model/port';
import { fromJson } from './sql';
import type { Schema } from '../../../shared/schema';

/** A row of `messages`: what the model is shown of a session, in order. */
export interface StoredMessage {
  id: string;
  sessionId: string;
  turnId: string;
  /** 1, 2, 3 … per session. */
  position: number;
  message: ModelMessage;
  at: number;
}

export const ModelMessageSchema: Schema<ModelMessage> = z.discriminatedUnion('role', [
  z.object({ role: z.literal('system'), content: z.string() }),
  z.object({
    role: z.literal('user'),
    content: z.string(),
    images: z.array(z.object({ mime: z.string(), base64: z.string() })).optional(),
  }),
  z.object({
    role: z.literal('assistant'),
    content: z.string(),
    reasoning: z.string().optional(),
    calls: z.array(z.object({ id: z.string(), name: z.string(), arguments: z.string() })).optional(),
    opaque: z.object({ provider: z.string(), data: z.unknown() }).optional(),
  }),
  z.object({ role: z.literal('tool'), callId: z.string(), name: z.string(), content: z.string() }),
]);

/** A row of `messages` as the database gives it. */
export const StoredMessageRow = z
  .object({
    session_id: z.string(),
    position: z.int(),
    id: z.string(),
    turn_id: z.string(),
    at: z.int(),
    message: z.string().transform(fromJson).pipe(ModelMessageSchema),
  })
  .transform((row): StoredMessage => ({
    id: row.id,
    sessionId: row.session_id,
    turnId: row.turn_id,
    position: row.position,
    message: row.message,
    at: row.at,
  }));
