import type { SessionFound } from '../../../shared/contract/session';
import type { SessionSummary } from '../../../shared/model/session';
import type { Store } from '../store/types';
import { sessionFolder } from './session-folder';

/** Sessions in one answer, and hits that are shown of each. */
const MAX_SESSIONS = 60;
const HITS_PER_SESSION = 4;
const MAX_TITLES = 500;

/** Sessions whose title holds every word, in any letter case. */
function byTitle(store: Pick<Store, 'sessions'>, query: string, projectId: string | null): SessionSummary[] {
  const words = query.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const [first] = words;
  if (first === undefined) return [];
  return store.sessions
    .list({ projectId, query: first, limit: MAX_TITLES })
    .filter(({ title }) => words.every((word) => title.toLocaleLowerCase().includes(word)));
}

/** Sessions with messages or a title that hold every word, the ones last written first. Any text is a valid query. */
export function searchSessions(
  store: Pick<Store, 'sessions' | 'search' | 'projects'>,
  query: string,
  projectId: string | null,
): SessionFound[] {
  const pathOf = (session: SessionSummary): string => sessionFolder(store, session);
  const options = { projectId, sessions: MAX_SESSIONS, hitsPerSession: HITS_PER_SESSION };
  const found = store.search.find(query, options).flatMap(({ sessionId, hits, count }): SessionFound[] => {
    const session = store.sessions.get(sessionId);
    return session ? [{ session, projectPath: pathOf(session), hits, count }] : [];
  });
  const known = new Set(found.map(({ session }) => session.id));
  const titled = byTitle(store, query, projectId)
    .filter(({ id }) => !known.has(id))
    .map((session): SessionFound => ({ session, projectPath: pathOf(session), hits: [], count: 0 }));
  return [...found, ...titled]
    .sort((a, b) => b.session.updatedAt - a.session.updatedAt)
    .slice(0, MAX_SESSIONS);
}
