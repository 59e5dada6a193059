import type { SessionId } from '../../../shared/model/ids';
import type { SessionSummary } from '../../../shared/model/session';
import type { SessionCatalog } from './session-catalog';

/** Asking SQLite whether another connection wrote takes microseconds. */
const LOOK_MS = 500;

export interface FollowOptions {
  /** True when another process wrote to the store since the last call. */
  changedElsewhere: () => boolean;
  catalog: SessionCatalog;
  isLive: (sessionId: string) => boolean;
  /** Id of the open project, whose list of sessions is kept in step. */
  projectId: () => string | null;
  onError: (error: unknown) => void;
}

type Known = ReadonlyMap<SessionId, SessionSummary>;

const same = (left: SessionSummary, right: SessionSummary | undefined): boolean =>
  JSON.stringify(left) === JSON.stringify(right);

/**
 * Shows what other processes on the same store do: sessions on screen grow, the list changes. Keeps no process alive.
 *
 * @returns ends it
 */
export function followOthers(options: FollowOptions): () => void {
  const { catalog, isLive, projectId, changedElsewhere, onError } = options;
  let project: string | null = null;
  let known: Known = new Map();

  const list = (): Known =>
    new Map(
      project === null
        ? []
        : catalog.list({ projectId: project, children: true }).map((each) => [each.id, each]),
    );
  const tellDifference = (now: Known): void => {
    for (const summary of now.values()) {
      if (!same(summary, known.get(summary.id))) catalog.announce({ kind: 'updated', summary });
    }
    for (const id of known.keys()) {
      if (!now.has(id)) catalog.announce({ kind: 'removed', id });
    }
  };
  const look = (): void => {
    const changed = changedElsewhere();
    const switched = project !== projectId();
    if (!changed && !switched) return;
    project = projectId();
    const now = list();
    if (!switched) tellDifference(now);
    known = now;
    catalog.catchUp(isLive);
  };
  const tick = (): void => {
    try {
      look();
    } catch (error) {
      onError(error);
    }
  };
  tick();
  const timer = setInterval(tick, LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}
