import type { GivenImage } from '../../../shared/image/image-facts';
import type { MessageId, SessionId, TurnId } from '../../../shared/model/ids';
import type { SessionSummary } from '../../../shared/model/session';
import type { SessionBranches } from './session-branches';
import type { TurnService } from './turn-service';

export interface EditMessage {
  id: SessionId;
  messageId: MessageId;
  /** What is said in its place. */
  text: string;
  /** In this session, with the old branch kept as a fork, or in a fork, with this session left as it is. */
  how: 'rewind' | 'fork';
  mentions: readonly string[];
  openFiles: readonly string[];
  /** Pictures of the message, which stay with it. */
  images?: readonly GivenImage[];
}

/**
 * Says something else in place of an earlier message and runs from there.
 *
 * @throws AppError as `SessionBranches.rewind` and `fork`, and as `TurnService.start` – what was written before is kept then
 *   too
 */
export async function editMessage(
  { id, messageId, how, ...message }: EditMessage,
  branches: SessionBranches,
  turns: TurnService,
): Promise<{ sessionId: SessionId; turnId: TurnId; kept: SessionSummary | null }> {
  if (how === 'fork') {
    const fork = await branches.fork({ id, messageId, keep: 'before' });
    return { sessionId: fork.id, ...turns.start({ sessionId: fork.id, ...message }), kept: null };
  }
  const { kept } = await branches.rewind(id, messageId, true, 'before edit');
  return { sessionId: id, ...turns.start({ sessionId: id, ...message }), kept };
}
