import { useState, type KeyboardEvent } from 'react';
import type { SessionHit } from '../../../shared/contract/session';
import type { SessionSummary } from '../../../shared/model/session';
import { formatAgo } from '../../lib/format';
import { classNames } from '../../ui/class-names';
import { IconButton } from '../../ui/icon-button';
import { markedParts } from './session-rows';
import { SessionSign } from './session-sign';

export interface SessionRowProps {
  session: SessionSummary;
  /** A subagent, listed under the session that started it. */
  isChild: boolean;
  /** Messages that a search found in it, and how many more. */
  hits: readonly SessionHit[];
  more: number;
  /** Name of its project where that is not the open one. */
  elsewhere: string | null;
  now: number;
  /** Shown in the chat now. */
  open: boolean;
  /** The row that Tab reaches. */
  stop: boolean;
  renaming: boolean;
  onOpen: () => void;
  onFocus: () => void;
  onRename: (title: string) => void;
  onStartRename: () => void;
  onCancelRename: () => void;
  onDelete: () => void;
  onExport: () => void;
  /** Shows one of the hits. */
  onOpenHit: (position: number) => void;
}

export function SessionRowView(props: SessionRowProps) {
  const { session, isChild, open, renaming } = props;
  return (
    <div
      className={classNames('session-row', isChild && 'session-row-child', open && 'session-row-on')}
      role="listitem"
    >
      <span className="session-sign">
        <SessionSign activity={session.activity} empty={session.messageCount === 0} />
      </span>
      {renaming ? <RenameField {...props} /> : <SessionButton {...props} />}
      <SessionEnd {...props} />
      {props.hits.length > 0 && <SessionHits {...props} />}
    </div>
  );
}

function SessionButton({
  session,
  elsewhere,
  open,
  stop,
  onOpen,
  onFocus,
  onStartRename,
  onDelete,
}: SessionRowProps) {
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'F2') onStartRename();
    else if (event.key === 'Delete') onDelete();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <button
      type="button"
      className="session-main"
      data-session={session.id}
      tabIndex={stop ? 0 : -1}
      aria-current={open || undefined}
      title={session.title}
      onClick={onOpen}
      onDoubleClick={onStartRename}
      onFocus={onFocus}
      onKeyDown={onKeyDown}
    >
      <span className="ui-clip">{session.title}</span>
      <span className="session-fact ui-clip">
        {elsewhere !== null && <span className="session-elsewhere">{elsewhere}</span>}
        {session.lastFact || (session.messageCount === 0 ? 'no messages yet' : '')}
      </span>
    </button>
  );
}

function RenameField({ session, onRename, onCancelRename }: SessionRowProps) {
  const [title, setTitle] = useState(session.title);
  const commit = (): void => {
    const trimmed = title.trim();
    if (trimmed === '' || trimmed === session.title) onCancelRename();
    else onRename(trimmed);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') commit();
    else if (event.key === 'Escape') onCancelRename();
    else return;
    event.preventDefault();
  };
  return (
    <input
      autoFocus
      className="session-rename"
      aria-label="Session title"
      maxLength={200}
      value={title}
      onFocus={(event) => event.target.select()}
      onChange={(event) => setTitle(event.target.value)}
      onKeyDown={onKeyDown}
      onBlur={commit}
    />
  );
}

function SessionEnd({ session, now, renaming, onStartRename, onDelete, onExport }: SessionRowProps) {
  if (renaming) return null;
  return (
    <>
      <span className="session-age">{formatAgo(session.updatedAt, now)}</span>
      <span className="session-acts">
        <IconButton
          icon="edit"
          small
          label={`Rename ${session.title}`}
          keyHint="F2"
          tabIndex={-1}
          onClick={onStartRename}
        />
        <IconButton icon="export" small label={`Export ${session.title}…`} tabIndex={-1} onClick={onExport} />
        <IconButton icon="trash" small label={`Delete ${session.title}`} tabIndex={-1} onClick={onDelete} />
      </span>
    </>
  );
}

const SPEAKERS = { user: 'You', assistant: 'Agent', tool: 'Result' } as const;

/** What was found in the session; each line leads to its message. */
function SessionHits({ hits, more, onOpenHit }: SessionRowProps) {
  return (
    <div className="session-hits">
      {hits.map((hit) => (
        <button
          key={hit.position}
          type="button"
          className="session-hit ui-clip"
          tabIndex={-1}
          title={hit.text}
          onClick={() => onOpenHit(hit.position)}
        >
          <span className="session-speaker">{SPEAKERS[hit.role]}: </span>
          {markedParts(hit.text, hit.ranges).map((part, i) =>
            part.found ? <mark key={i}>{part.text}</mark> : <span key={i}>{part.text}</span>,
          )}
        </button>
      ))}
      {more > 0 && <span className="session-more">{`${more.toLocaleString('en')} more`}</span>}
    </div>
  );
}
