import type { SessionFound, SessionHit } from '../../../shared/contract/session';
import type { SessionSummary } from '../../../shared/model/session';
import { dayGroup } from '../../lib/format';

export type SessionRow =
  | { kind: 'heading'; key: string; label: string }
  | {
      kind: 'session';
      key: string;
      session: SessionSummary;
      isChild: boolean;
      /** Messages that a search found in it, the newest first, and how many more there are. */
      hits: readonly SessionHit[];
      more: number;
      /** Name of its project where that is not the open one. */
      elsewhere: string | null;
      /** Where its project is now. */
      projectPath: string;
    };

const plain = (session: SessionSummary, isChild: boolean): SessionRow => ({
  ...{ kind: 'session', key: session.id, session, isChild },
  ...{ hits: [], more: 0, elsewhere: null, projectPath: session.projectPath },
});

const folderName = (path: string): string => /[^/\\]+(?=[/\\]*$)/.exec(path)?.[0] ?? path;

/** What a search found, in its order, under the day of each session. */
export function foundRows(
  found: readonly SessionFound[],
  projectId: string | null,
  now: number,
): SessionRow[] {
  const rows: SessionRow[] = [];
  let group = '';
  for (const { session, projectPath, hits, count } of found) {
    const label = dayGroup(session.updatedAt, now);
    if (label !== group) rows.push({ kind: 'heading', key: `group-${label}`, label });
    group = label;
    rows.push({
      ...{ kind: 'session', key: session.id, session, isChild: false },
      ...{ hits, more: Math.max(0, count - hits.length) },
      elsewhere: session.projectId === projectId ? null : folderName(projectPath),
      projectPath,
    });
  }
  return rows;
}

/** A text cut at the places that were found; joining the parts gives it back. */
export function markedParts(
  text: string,
  ranges: readonly (readonly [number, number])[],
): { text: string; found: boolean }[] {
  const parts: { text: string; found: boolean }[] = [];
  let at = 0;
  for (const [from, to] of ranges) {
    if (from > at) parts.push({ text: text.slice(at, from), found: false });
    parts.push({ text: text.slice(from, to), found: true });
    at = to;
  }
  if (at < text.length) parts.push({ text: text.slice(at), found: false });
  return parts;
}

/**
 * Sessions whose title holds every word of `query`, newest first, under the day they were last written; subagents stand
 * under the session that started them, in the order in which they were started.
 */
export function sessionRows(sessions: readonly SessionSummary[], query: string, now: number): SessionRow[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const wanted = sessions.filter((session) =>
    words.every((word) => session.title.toLowerCase().includes(word)),
  );
  const rows: SessionRow[] = [];
  let group = '';
  const known = new Set(wanted.map(({ id }) => id));
  const parentOf = (session: SessionSummary): string | null =>
    session.parentId !== null && known.has(session.parentId) ? session.parentId : null;
  const children = Map.groupBy(wanted, parentOf);
  for (const session of (children.get(null) ?? []).toSorted((a, b) => b.updatedAt - a.updatedAt)) {
    const label = dayGroup(session.updatedAt, now);
    if (label !== group) rows.push({ kind: 'heading', key: `group-${label}`, label });
    group = label;
    rows.push(plain(session, false));
    for (const child of (children.get(session.id) ?? []).toSorted((a, b) => a.createdAt - b.createdAt))
      rows.push(plain(child, true));
  }
  return rows;
}

/** The list with one session put in or replaced. */
export function withSession(sessions: readonly SessionSummary[], summary: SessionSummary): SessionSummary[] {
  const others = sessions.filter((session) => session.id !== summary.id);
  return [summary, ...others];
}

export const withoutSession = (sessions: readonly SessionSummary[], id: string): SessionSummary[] =>
  sessions.filter((session) => session.id !== id);

/** The session that an arrow key goes to from `activeId`; headings are skipped. Null for other keys. */
export function moveInRows(rows: readonly SessionRow[], activeId: string | null, key: string): string | null {
  const ids = rows.flatMap((row) => (row.kind === 'session' ? [row.session.id] : []));
  const at = activeId === null ? -1 : ids.findIndex((id) => id === activeId);
  if (key === 'ArrowDown') return ids[Math.min(ids.length - 1, at + 1)] ?? null;
  if (key === 'ArrowUp') return ids[Math.max(0, at - 1)] ?? null;
  if (key === 'Home') return ids[0] ?? null;
  if (key === 'End') return ids.at(-1) ?? null;
  return null;
}
