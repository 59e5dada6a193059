import { AppError } from '../../../../shared/error';
import type { MessageId, SessionId, TurnId } from '../../../../shared/model/ids';
import type { Store } from '../../store/types';

/** Finds the turn that a message began: the places that a session can go back to. */
export class CheckpointFinder {
  constructor(private readonly branches: Store['branches']) {}

  /** @throws AppError `not_found`, `bad_argument` for a message that began no turn */
  find(sessionId: SessionId, messageId: MessageId): { turnId: TurnId } {
    const turnId = this.branches.message(sessionId, messageId)?.turnId;
    const start = turnId === undefined ? null : this.branches.turnStart(sessionId, turnId);
    if (turnId === undefined || start === null) {
      throw new AppError('not_found', 'This message is not in the session (any more).', {
        hint: 'Open the session again: it may have been changed in another window.',
      });
    }
    if (this.branches.eventOf(sessionId, turnId, messageId) !== start.seq) {
      throw new AppError('bad_argument', 'Only a message that began a turn can be gone back to.', {
        hint: 'Choose the message that the turn began with.',
      });
    }
    return { turnId: turnId as TurnId };
  }
}
