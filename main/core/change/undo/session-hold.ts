import { AppError } from '../../../../shared/error';
import type { SessionId } from '../../../../shared/model/ids';
import type { SessionRuntime } from '../../session/session-runtime';
import type { UndoPort } from './undo-port';

/** Lets one undo work at a time: they may be about the same files. */
export class SessionHold {
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly port: UndoPort) {}

  /**
   * Works while the session that the work belongs to, and its subagents, stand still.
   *
   * @param sessionId null, or that of a session that is gone: the work belongs to none
   * @throws AppError `busy` while one of them runs
   */
  async during<T>(
    sessionId: SessionId | null,
    work: (runtime: SessionRuntime | null) => Promise<T>,
  ): Promise<T> {
    const before = this.last;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.last = promise;
    await before;
    try {
      if (sessionId === null || this.port.store.sessions.get(sessionId) === null) return await work(null);
      this.refuseBusyChildren(sessionId);
      return await this.port.between(sessionId, work);
    } finally {
      resolve();
    }
  }

  private refuseBusyChildren(sessionId: SessionId): void {
    const { store, isRunning } = this.port;
    const filter = { projectId: null, children: { of: sessionId }, limit: 1000 };
    for (const { id } of store.sessions.list(filter)) {
      if (isRunning(id)) {
        throw new AppError('busy', 'A subagent of this session is still working.', {
          hint: 'Stop it first.',
        });
      }
      this.refuseBusyChildren(id);
    }
  }
}
