import { useEffect, useMemo, useState } from 'react';
import type { NextContext } from '../../../shared/contract/context';
import type { SessionId } from '../../../shared/model/ids';
import { useClient } from '../../lib/client-context';
import { useStore } from '../../lib/store';
import { windowStore } from '../../lib/window-store';
import { Button } from '../../ui/button';
import { EmptyState } from '../../ui/empty-state';
import { ErrorBox } from '../../ui/error-box';
import { Spinner } from '../../ui/spinner';
import { Tabs } from '../../ui/tabs';
import { CompactionList } from './compaction-list';
import { createContextData, type ContextData } from './context-data';
import { ContextHead } from './context-head';
import './context.css';
import { ItemsView } from './items-view';
import { RulesList } from './rules-list';

export interface ContextPageProps {
  onOpenFile(path: string): void;
}

/** What the next request of the session in the chat is made of, and what can be done about it. */
export function ContextPage({ onOpenFile }: ContextPageProps) {
  const active = useStore(windowStore.activeSession);
  return (
    <section className="cx" aria-label="Context">
      {active === null ? (
        <EmptyState icon="comment-discussion" title="No session is open">
          Send a message in the chat; then its context shows here.
        </EmptyState>
      ) : (
        <SessionContext key={active} sessionId={active as SessionId} onOpenFile={onOpenFile} />
      )}
    </section>
  );
}

function SessionContext({ sessionId, onOpenFile }: ContextPageProps & { sessionId: SessionId }) {
  const client = useClient();
  const data = useMemo(() => createContextData(client, sessionId), [client, sessionId]);
  useEffect(() => data.connect(), [data]);
  const { next, error } = useStore(data.state);
  if (!next)
    return error === null ? (
      <div className="cx-wait">
        <Spinner />
      </div>
    ) : (
      <div className="cx-wait">
        <ErrorBox
          title="The context can’t be shown"
          error={error}
          actions={<Button onClick={() => data.refresh()}>Try again</Button>}
        />
      </div>
    );
  return (
    <>
      <ContextHead next={next} />
      <Views data={data} next={next} onOpenFile={onOpenFile} />
    </>
  );
}

type ViewId = 'items' | 'rules' | 'summaries';

function Views({ data, next, onOpenFile }: ContextPageProps & { data: ContextData; next: NextContext }) {
  const [view, setView] = useState<ViewId>('items');
  const active = next.rules.filter((rule) => rule.active).length;
  const count = (n: number) => <span className="cx-count">{n}</span>;
  return (
    <>
      <Tabs
        label="Context views"
        className="cx-tabs"
        tabs={[
          { id: 'items', label: 'Items', extra: count(next.items.length) },
          { id: 'rules', label: 'Rules', extra: count(active) },
          { id: 'summaries', label: 'Summaries', extra: count(next.compactions.length) },
        ]}
        active={view}
        onSelect={(id) => setView(id as ViewId)}
      />
      {view === 'items' && <ItemsView data={data} next={next} />}
      {view === 'rules' && <RulesList rules={next.rules} onOpenFile={onOpenFile} />}
      {view === 'summaries' && (
        <CompactionList compactions={next.compactions} onUndo={(id) => void data.undo(id)} />
      )}
    </>
  );
}
