import { useRef, useState, type KeyboardEvent, type MouseEvent } from 'react';
import type { SessionSummary } from '../../../shared/model/session';
import { formatAgo } from '../../lib/format';
import { keyLabel } from '../../lib/keys';
import { useStore } from '../../lib/store';
import { toastError } from '../../lib/toast-store';
import { useSessionWaiting, useWaitingCount, waitingWords } from '../../lib/waiting';
import { windowStore } from '../../lib/window-store';
import { Icon } from '../../ui/icon';
import { IconButton } from '../../ui/icon-button';
import { Menu, type MenuEntry } from '../../ui/menu';
import { roveFocus } from '../../ui/rove';
import { Spinner } from '../../ui/spinner';
import { useChat } from './chat-context';
import { sessionMenuStore } from './session-menu-store';

const titleOf = (summary: SessionSummary | undefined): string =>
  summary === undefined || summary.title === '' ? 'New session' : summary.title;

/** The open sessions as tabs, with what each one does right now. */
export function SessionTabs() {
  const { model } = useChat();
  const { open, active } = useStore(model.tabs);
  const show = (index: number): void => {
    const id = open[index];
    if (id !== undefined) windowStore.activeSession.set(id);
  };
  return (
    <div className="ch-tabs">
      <div
        className="ch-tab-list"
        role="tablist"
        aria-label="Sessions"
        onKeyDown={(event) => roveTabs(event, show)}
      >
        {open.map((id) => (
          <SessionTab key={id} id={id} active={id === active} />
        ))}
      </div>
      <div className="ch-tab-actions">
        <WaitingChip />
        <IconButton icon="add" label="New session" onClick={() => void model.create().catch(toastError)} />
        <SessionMenuButton />
      </div>
    </div>
  );
}

/** Only arrows move along the tabs; the close buttons keep their own keys. */
function roveTabs(event: KeyboardEvent<HTMLElement>, show: (index: number) => void): void {
  if (event.target instanceof Element && event.target.getAttribute('role') === 'tab') roveFocus(event, show);
}

function SessionTab({ id, active }: { id: string; active: boolean }) {
  const { model } = useChat();
  const summary = useStore(model.summaries, (all) => all.get(id));
  const title = titleOf(summary);
  const waiting = useSessionWaiting(id);
  const close = (event: MouseEvent | KeyboardEvent): void => {
    event.stopPropagation();
    model.close(id);
  };
  return (
    <>
      <button
        type="button"
        role="tab"
        className="ch-tab"
        aria-selected={active}
        aria-controls="chat-session"
        tabIndex={active ? 0 : -1}
        title={title}
        onClick={() => windowStore.activeSession.set(id)}
        onAuxClick={(event) => event.button === 1 && close(event)}
        onKeyDown={(event) => event.key === 'Delete' && close(event)}
      >
        {waiting === 0 && <ActivitySign summary={summary} />}
        <span className="ui-clip">{title}</span>
        {waiting > 0 && <TabWaiting id={id} count={waiting} />}
        <span className="ch-tab-close" title="Close (Delete)" aria-hidden="true" onClick={close}>
          <Icon name="close" size={12} />
        </span>
      </button>
    </>
  );
}

/** Leads to what waits for the user in any session. */
function WaitingChip() {
  const waiting = useWaitingCount();
  if (waiting === 0) return null;
  return (
    <button
      type="button"
      className="ch-waiting"
      title={`Go to what waits for your answer (${keyLabel('Mod+Shift+A')})`}
      onClick={() => windowStore.review.set({ sessionId: null })}
    >
      <Icon name="shield" size={12} />
      {waitingWords(waiting)}
    </button>
  );
}

/** In a tab the chip is for the pointer: a tab may hold nothing that takes the focus, and the one beside the tabs does. */
function TabWaiting({ id, count }: { id: string; count: number }) {
  const review = (event: MouseEvent): void => {
    event.stopPropagation();
    windowStore.activeSession.set(id);
    windowStore.review.set({ sessionId: id });
  };
  return (
    <span className="ch-waiting" title="Go to what waits for your answer" onClick={review}>
      <Icon name="shield" size={12} />
      {count}
      <span className="ui-sr">{' waiting'}</span>
    </span>
  );
}

function ActivitySign({ summary }: { summary: SessionSummary | undefined }) {
  switch (summary?.activity) {
    case 'running':
      return <Spinner label="running" />;
    case 'waiting':
      return <span className="ui-dot ui-agent" role="img" aria-label="waits for you" />;
    case 'failed':
      return <Icon name="error" size={12} className="ui-err" label="failed" />;
    case 'interrupted':
      return <Icon name="circle-slash" size={12} className="ui-warn" label="interrupted" />;
    case 'idle':
    case undefined:
      return null;
  }
}

function SessionMenuButton() {
  const { model } = useChat();
  const button = useRef<HTMLButtonElement>(null);
  const { open } = useStore(sessionMenuStore);
  return (
    <>
      <IconButton
        ref={button}
        icon="comment-discussion"
        label="Open a session"
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={() => sessionMenuStore.set({ open: true })}
      />
      {open && (
        <SessionMenu
          summaries={model.summaries.get()}
          active={model.tabs.get().active}
          anchor={button.current?.getBoundingClientRect() ?? new DOMRect(innerWidth, 0, 0, 0)}
        />
      )}
    </>
  );
}

const LISTED = 20;

/** What can be done with sessions besides opening one. */
function sessionActions(active: string | null, run: (command: string) => void): MenuEntry[] {
  const entry = (id: string, label: string, icon: string): MenuEntry => ({
    ...{ id, label, icon, onSelect: () => run(id) },
  });
  return [
    { id: 'actions', separator: true },
    entry('session.switch', 'Search all sessions…', 'search'),
    ...(active === null ? [] : [entry('session.export', 'Export this session…', 'export')]),
    entry('session.import', 'Import a session…', 'cloud-download'),
  ];
}

function SessionMenu({
  summaries,
  active,
  anchor,
}: {
  summaries: ReadonlyMap<string, SessionSummary>;
  active: string | null;
  anchor: DOMRect;
}) {
  const { onCommand } = useChat();
  const [now] = useState(Date.now);
  const own = [...summaries.values()].filter(({ parentId }) => parentId === null);
  const rows = own.sort((a, b) => b.updatedAt - a.updatedAt).slice(0, LISTED);
  const entries: MenuEntry[] = rows.map((summary) => ({
    id: summary.id,
    label: titleOf(summary),
    detail: formatAgo(summary.updatedAt, now),
    checked: summary.id === active,
    onSelect: () => windowStore.activeSession.set(summary.id),
  }));
  return (
    <Menu
      label="Sessions"
      anchor={anchor}
      onClose={() => sessionMenuStore.set({ open: false })}
      entries={[
        ...(entries.length > 0 ? entries : [{ id: 'none', heading: 'No sessions yet' }]),
        ...(onCommand ? sessionActions(active, onCommand) : []),
      ]}
    />
  );
}
