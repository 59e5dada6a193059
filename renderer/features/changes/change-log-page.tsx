import { useDeferredValue, useEffect, useId, useMemo, useState } from 'react';
import type { SessionSummary } from '../../../shared/model/session';
import { useClient } from '../../lib/client-context';
import { useStore } from '../../lib/store';
import { toastError } from '../../lib/toast-store';
import { windowStore } from '../../lib/window-store';
import { Button } from '../../ui/button';
import { EmptyState } from '../../ui/empty-state';
import { ErrorBox } from '../../ui/error-box';
import { Field } from '../../ui/field';
import { Select } from '../../ui/select';
import { Spinner } from '../../ui/spinner';
import { VirtualList } from '../../ui/virtual-list';
import type { ChangesHost } from './changes-host';
import './changes-page.css';
import { LogEntry } from './log-entry';
import { createLogData, type LogData, type LogState } from './log-data';

const ROW_HEIGHT = 40;

/** Everything that changed files of the project, by whom, newest first. */
export function ChangeLogPage({ onFindFault, ...host }: ChangesHost & { onFindFault(): void }) {
  const client = useClient();
  const data = useMemo(() => createLogData(client), [client]);
  useEffect(() => data.connect(), [data]);
  const state = useStore(data.state);
  return (
    <section className="lg" aria-label="Change log">
      <header className="lg-head">
        <Filters data={data} filter={state.filter} />
        <Button icon="beaker" onClick={onFindFault}>
          Find what broke a test…
        </Button>
      </header>
      {state.error !== null && (
        <div className="lg-error">
          <ErrorBox
            title="The change log can’t be shown"
            error={state.error}
            actions={<Button onClick={() => data.retry()}>Try again</Button>}
          />
        </div>
      )}
      <Entries data={data} state={state} host={host} />
    </section>
  );
}

function useSessions(): readonly SessionSummary[] {
  const client = useClient();
  const [sessions, setSessions] = useState<readonly SessionSummary[]>([]);
  useEffect(() => {
    client.session.list({}).then(setSessions, toastError);
  }, [client]);
  return sessions;
}

function Filters({ data, filter }: { data: LogData; filter: LogState['filter'] }) {
  const sessions = useSessions();
  const active = useStore(windowStore.activeSession);
  const titles = sessions
    .filter(({ id, parentId }) => id !== active && parentId === null)
    .map(({ id, title }) => ({ value: String(id), label: title }));
  const choices = [
    { value: '', label: 'All sessions' },
    ...(active === null ? [] : [{ value: active, label: 'This session' }]),
    ...titles,
  ];
  return (
    <>
      <Select
        label="Session"
        className="lg-session"
        value={filter.sessionId}
        choices={choices}
        onChange={(sessionId) => data.setFilter({ sessionId })}
      />
      <PathFilter path={filter.path} onPath={(path) => data.setFilter({ path })} />
    </>
  );
}

/** Files of the project are offered while one types; the log is asked for a whole path. */
function PathFilter({ path, onPath }: { path: string; onPath(path: string): void }) {
  const client = useClient();
  const listId = useId();
  const [text, setText] = useState(path);
  const [offers, setOffers] = useState<readonly string[]>([]);
  const query = useDeferredValue(text.trim());
  useEffect(() => {
    if (query === '') return undefined;
    let current = true;
    client.files.find({ query: query.slice(0, 200), limit: 20 }).then(
      (found) => current && setOffers(found),
      () => current && setOffers([]),
    );
    return () => {
      current = false;
    };
  }, [client, query]);
  const take = (next: string): void => {
    setText(next);
    const wanted = next.trim();
    if (wanted === '' || offers.includes(wanted)) onPath(wanted);
  };
  return (
    <>
      <Field
        label="File"
        hideLabel
        className="lg-path"
        icon="file"
        placeholder="All files"
        value={text}
        list={listId}
        onChange={take}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onPath(text.trim());
        }}
        onBlur={() => {
          if (text.trim() !== path) onPath(text.trim());
        }}
      />
      <datalist id={listId}>
        {(query === '' ? [] : offers).map((offer) => (
          <option key={offer} value={offer} />
        ))}
      </datalist>
    </>
  );
}

function Entries({ data, state, host }: { data: LogData; state: LogState; host: ChangesHost }) {
  const { entries, complete, filter } = state;
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (id: string): void =>
    setOpen((old) => {
      const next = new Set(old);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  if (!entries) {
    return (
      <div className="lg-wait">
        <Spinner />
      </div>
    );
  }
  if (entries.length === 0) {
    const isAll = filter.path === '' && filter.sessionId === '';
    return (
      <EmptyState icon="history" title={isAll ? 'Nothing was changed yet' : 'No change fits'}>
        {isAll
          ? 'What the agent, its commands, you and other programs change in this folder is listed here.'
          : 'Choose another session or file.'}
      </EmptyState>
    );
  }
  return (
    <VirtualList
      items={entries}
      rowHeight={ROW_HEIGHT}
      measured
      getKey={(entry) => entry.id}
      className="lg-list"
      role="list"
      aria-label="Changes"
      tabIndex={0}
      onScroll={({ currentTarget: box }) => {
        if (!complete && box.scrollTop + box.clientHeight > box.scrollHeight - 600) data.more();
      }}
      renderRow={(entry) => (
        <LogEntry entry={entry} open={open.has(entry.id)} onToggle={() => toggle(entry.id)} host={host} />
      )}
    />
  );
}
