import { useRef, useState, type KeyboardEvent } from 'react';
import type { SessionSummary } from '../../../shared/model/session';
import { useClient } from '../../lib/client-context';
import { projectStore } from '../../lib/project-store';
import { statusStore } from '../../lib/status-store';
import { useStore } from '../../lib/store';
import { toastError } from '../../lib/toast-store';
import { Button } from '../../ui/button';
import { EmptyState } from '../../ui/empty-state';
import { ErrorBox } from '../../ui/error-box';
import { Field } from '../../ui/field';
import { IconButton } from '../../ui/icon-button';
import { VirtualList, type VirtualListHandle } from '../../ui/virtual-list';
import { DeleteSession } from './delete-session';
import './sessions.css';
import { foundRows, moveInRows, sessionRows, type SessionRow } from './session-rows';
import { SessionRowView } from './session-row';
import { useFound } from './use-found';
import { useSessions } from './use-sessions';

/** A message of a session that may belong to another project. */
export interface SessionPlace {
  projectId: string;
  projectPath: string;
  /** Null: nowhere in particular. */
  position: number | null;
}

export interface SessionListProps {
  onOpen: (id: string, place: SessionPlace) => void;
  onExport: (id: string) => void;
  onImport: () => void;
}

const HEADING_PX = 24;
const ROW_PX = 46;
const HIT_PX = 22;

/** The project's sessions: search, open, rename in place (F2), delete (Del). */
export function SessionList(props: SessionListProps) {
  const { sessions, error, reload } = useSessions();
  const [query, setQuery] = useState('');
  if (error !== null) {
    return (
      <div className="session-pad">
        <ErrorBox
          title="Sessions could not be read"
          error={error}
          actions={<Button onClick={reload}>Try again</Button>}
        />
      </div>
    );
  }
  if (sessions === null) return null;
  return (
    <div className="session-list">
      <div className="session-search">
        <Field
          label="Search sessions"
          hideLabel
          icon="search"
          value={query}
          placeholder="Search all sessions"
          onChange={setQuery}
          onKeyDown={(event) => {
            if (event.key === 'ArrowDown') focusFirstRow(event.currentTarget);
          }}
        />
        <IconButton icon="cloud-download" small label="Import a session…" onClick={props.onImport} />
      </div>
      {sessions.length === 0 && query.trim() === '' ? (
        <NoSessions />
      ) : (
        <Sessions sessions={sessions} query={query} {...props} />
      )}
    </div>
  );
}

function focusFirstRow(field: HTMLElement): void {
  field.closest('.session-list')?.querySelector<HTMLElement>('.session-main[tabindex="0"]')?.focus();
}

function NoSessions() {
  return (
    <EmptyState icon="comment-discussion" title="No sessions yet">
      The first message in the chat starts one.
    </EmptyState>
  );
}

interface SessionsProps extends SessionListProps {
  sessions: readonly SessionSummary[];
  query: string;
}

/** The project's sessions or, with a query, what holds its words: titles here at once, everything else a moment later. */
function useRows(sessions: readonly SessionSummary[], query: string, now: number): SessionRow[] {
  const projectId = useStore(projectStore, (project) => project?.id ?? null);
  const found = useFound(query);
  const latest = Math.max(now, sessions[0]?.updatedAt ?? 0);
  return found ? foundRows(found, projectId, latest) : sessionRows(sessions, query, latest);
}

type SessionEntry = Extract<SessionRow, { kind: 'session' }>;

function Sessions({ sessions, query, onOpen, onExport }: SessionsProps) {
  const client = useClient();
  const openId = useStore(statusStore.chat, (chat) => chat.sessionId);
  const [now] = useState(() => Date.now());
  const [activeId, setActiveId] = useState<string | null>(null);
  const [renamingId, setRenamingId] = useState<string | null>(null);
  const [deleting, setDeleting] = useState<SessionSummary | null>(null);
  const list = useRef<VirtualListHandle>(null);
  const rows = useRows(sessions, query, now);
  const open = ({ session, projectPath }: SessionEntry, position: number | null): void =>
    onOpen(session.id, { projectId: session.projectId, projectPath, position });
  const stopId = pickStop(rows, activeId ?? openId);
  const focusRow = (id: string): void => focusSession(list.current, rows, id);
  const onKeyDown = (event: KeyboardEvent): void => {
    const isTyping = event.target instanceof HTMLInputElement;
    const next = isTyping || moveInHits(event) ? null : moveInRows(rows, stopId, event.key);
    if (next === null) return;
    event.preventDefault();
    setActiveId(next);
    focusRow(next);
  };
  const rename = async (session: SessionSummary, title: string): Promise<void> => {
    setRenamingId(null);
    await client.session.rename({ id: session.id, title });
  };
  const draw = (row: SessionRow) =>
    row.kind === 'heading' ? (
      <div className="session-heading" role="presentation">
        {row.label}
      </div>
    ) : (
      <SessionRowView
        session={row.session}
        isChild={row.isChild}
        hits={row.hits}
        more={row.more}
        elsewhere={row.elsewhere}
        now={now}
        open={row.session.id === openId}
        stop={row.session.id === stopId}
        renaming={row.session.id === renamingId}
        onOpen={() => open(row, null)}
        onOpenHit={(position) => open(row, position)}
        onExport={() => onExport(row.session.id)}
        onFocus={() => setActiveId(row.session.id)}
        onStartRename={() => setRenamingId(row.session.id)}
        onCancelRename={() => {
          setRenamingId(null);
          focusRow(row.session.id);
        }}
        onRename={(title) => {
          rename(row.session, title).catch(toastError);
          focusRow(row.session.id);
        }}
        onDelete={() => setDeleting(row.session)}
      />
    );
  return (
    <>
      {rows.length === 0 && <p className="session-none">Nothing holds “{query.trim()}”.</p>}
      <VirtualList
        handle={list}
        className="session-rows"
        role="list"
        aria-label="Sessions"
        items={rows}
        rowHeight={(index) => rowHeight(rows[index])}
        getKey={(row) => row.key}
        renderRow={draw}
        onKeyDown={onKeyDown}
      />
      {deleting && <DeleteSession session={deleting} onClose={() => setDeleting(null)} />}
    </>
  );
}

function rowHeight(row: SessionRow | undefined): number {
  if (row?.kind !== 'session') return HEADING_PX;
  const lines = row.hits.length + (row.more > 0 ? 1 : 0);
  return ROW_PX + lines * HIT_PX + (lines > 0 ? HIT_PX / 4 : 0);
}

function focusSession(list: VirtualListHandle | null, rows: readonly SessionRow[], id: string): void {
  list?.scrollToIndex(rows.findIndex((row) => row.key === id));
  requestAnimationFrame(() => {
    list?.element?.querySelector<HTMLElement>(`[data-session="${CSS.escape(id)}"]`)?.focus();
  });
}

/** Up and down go through the hits of a session before they leave it; false when they do. */
function moveInHits(event: KeyboardEvent): boolean {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined || !(event.target instanceof Element)) return false;
  const row = event.target.closest('.session-row');
  const stops = [...(row?.querySelectorAll<HTMLElement>('.session-main, .session-hit') ?? [])];
  const next = stops[stops.findIndex((stop) => stop === event.target) + step];
  if (!next) return false;
  event.preventDefault();
  next.focus();
  return true;
}

/** The row that Tab reaches: the active one while it is listed, else the first. */
function pickStop(rows: readonly SessionRow[], activeId: string | null): string | null {
  const ids = rows.flatMap((row) => (row.kind === 'session' ? [row.session.id] : []));
  return ids.find((id) => id === activeId) ?? ids[0] ?? null;
}
