import { useRef, useState, type KeyboardEvent } from 'react';
import type { SessionSummary } from '../../../shared/model/session';
import { useClient } from '../../lib/client-context';
import { statusStore } from '../../lib/status-store';
import { useStore } from '../../lib/store';
import { toastError } from '../../lib/toast-store';
import { Button } from '../../ui/button';
import { EmptyState } from '../../ui/empty-state';
import { ErrorBox } from '../../ui/error-box';
import { Field } from '../../ui/field';
import { VirtualList, type VirtualListHandle } from '../../ui/virtual-list';
import { DeleteSession } from './delete-session';
import './sessions.css';
import { moveInRows, sessionRows, type SessionRow } from './session-rows';
import { SessionRowView } from './session-row';
import { useSessions } from './use-sessions';

export interface SessionListProps {
  onOpen: (id: string) => void;
}

const HEADING_PX = 24;
const ROW_PX = 46;

/** The project's sessions: search, open, rename in place (F2), delete (Del). */
export function SessionList({ onOpen }: SessionListProps) {
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
          placeholder="Search titles"
          onChange={setQuery}
          onKeyDown={(event) => {
            if (event.key === 'ArrowDown') focusFirstRow(event.currentTarget);
          }}
        />
      </div>
      {sessions.length === 0 ? (
        <NoSessions />
      ) : (
        <Sessions sessions={sessions} query={query} onOpen={onOpen} />
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

function Sessions({ sessions, query, onOpen }: SessionsProps) {
  const client = useClient();
  const openId = useStore(statusStore.chat, (chat) => chat.sessionId);
  const [now] = useState(() => Date.now());
  const [activeId, setActiveId] = useState<string | null>(null);
  const [renamingId, setRenamingId] = useState<string | null>(null);
  const [deleting, setDeleting] = useState<SessionSummary | null>(null);
  const list = useRef<VirtualListHandle>(null);
  const rows = sessionRows(sessions, query, Math.max(now, sessions[0]?.updatedAt ?? 0));
  const stopId = pickStop(rows, activeId ?? openId);
  const focusRow = (id: string): void => {
    const index = rows.findIndex((row) => row.key === id);
    list.current?.scrollToIndex(index);
    requestAnimationFrame(() => {
      list.current?.element?.querySelector<HTMLElement>(`[data-session="${CSS.escape(id)}"]`)?.focus();
    });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target instanceof HTMLInputElement) return;
    const next = moveInRows(rows, stopId, event.key);
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
        now={now}
        open={row.session.id === openId}
        stop={row.session.id === stopId}
        renaming={row.session.id === renamingId}
        onOpen={() => onOpen(row.session.id)}
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
      {rows.length === 0 && <p className="session-none">No title holds “{query.trim()}”.</p>}
      <VirtualList
        handle={list}
        className="session-rows"
        role="list"
        aria-label="Sessions"
        items={rows}
        rowHeight={(index) => (rows[index]?.kind === 'heading' ? HEADING_PX : ROW_PX)}
        getKey={(row) => row.key}
        renderRow={draw}
        onKeyDown={onKeyDown}
      />
      {deleting && <DeleteSession session={deleting} onClose={() => setDeleting(null)} />}
    </>
  );
}

/** The row that Tab reaches: the active one while it is listed, else the first. */
function pickStop(rows: readonly SessionRow[], activeId: string | null): string | null {
  const ids = rows.flatMap((row) => (row.kind === 'session' ? [row.session.id] : []));
  return ids.find((id) => id === activeId) ?? ids[0] ?? null;
}
