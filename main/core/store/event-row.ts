import { z } from 'zod';
import { SessionId, TurnId } from '../../../shared/model/ids';
import { TurnEventPayload, type TurnEvent } from '../../../shared/model/turn-event';
import { fromJson } from './sql';

/** A row of `events` as the database gives it. */
export const EventRow = z
  .object({
    session_id: SessionId,
    seq: z.int().min(1),
    turn_id: TurnId,
    at: z.int(),
    payload: z.string().transform(fromJson).pipe(TurnEventPayload),
  })
  .transform((row): TurnEvent => ({
    seq: row.seq,
    at: row.at,
    sessionId: row.session_id,
    turnId: row.turn_id,
    ...row.payload,
  }));
