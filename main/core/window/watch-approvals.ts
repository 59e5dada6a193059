import type { ApprovalGate } from '../approval/types';
import type { HostPort } from '../host-port';
import type { Logger } from '../log/logger';
import type { SessionCatalog } from '../session/session-catalog';
import type { WindowRegistry } from './window-registry';

/** Sessions show that they wait; the host shows its dialog; an unseen session makes a notification, once per approval. */
export function watchApprovals(
  gate: ApprovalGate,
  catalog: SessionCatalog,
  windows: WindowRegistry,
  host: HostPort,
  log: Logger,
): void {
  const told = new Set<string>();
  // An approval is asked and answered also where that can't be noted down, as on a full disk.
  const note = (...change: Parameters<SessionCatalog['update']>): void => {
    try {
      catalog.update(...change);
    } catch (error) {
      log.warn('a session could not be marked as waiting or running', { error: String(error) });
    }
  };
  gate.onChange((pending) => {
    host.approvalsChanged?.(pending);
    for (const { id, sessionId, title } of pending) {
      if (told.has(id)) continue;
      told.add(id);
      note(sessionId, { activity: 'waiting', lastFact: title });
      // Who looks at the session that started a subagent is shown its question there.
      const parentId = catalog.find(sessionId)?.parentId ?? sessionId;
      if (!windows.isSeen(sessionId) && !windows.isSeen(parentId))
        host.notify?.({ title, body: 'Lathe waits for your answer.', sessionId });
    }
    for (const id of told) {
      if (!pending.some((approval) => approval.id === id)) told.delete(id);
    }
    for (const summary of catalog.waiting()) {
      if (!pending.some(({ sessionId }) => sessionId === summary.id))
        note(summary.id, { activity: 'running' });
    }
  });
}
