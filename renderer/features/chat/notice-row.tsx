import { memo } from 'react';
import type { ItemView } from '../../../shared/model/session-view';
import { useClient } from '../../lib/client-context';
import { useNow } from '../../lib/clock';
import { useStore } from '../../lib/store';
import { toastError } from '../../lib/toast-store';
import { Button } from '../../ui/button';
import { Icon } from '../../ui/icon';
import { Spinner } from '../../ui/spinner';
import { useSession } from './chat-context';
import { retryWords } from './end-words';

type NoticeItem = Extract<ItemView, { kind: 'notice' }>;

const SIGNS = {
  info: ['info', 'ui-accent'],
  warn: ['warning', 'ui-warn'],
  error: ['error', 'ui-err'],
} as const;

/** What the harness did of its own: summarised, nudged, waits before it asks again. */
export const NoticeRow = memo(function NoticeRow({ item }: { item: NoticeItem }) {
  if (item.tone === 'retry') return <RetryRow item={item} />;
  const [icon, tone] = SIGNS[item.tone];
  return (
    <div className="ch-notice">
      <Icon name={icon} size={14} className={tone} />
      <span>{item.text}</span>
      {item.compaction && <UndoCompaction compaction={item.compaction} />}
    </div>
  );
});

/** Takes a summary back; while a later one stands for it the host says so. */
function UndoCompaction({ compaction }: { compaction: NonNullable<NoticeItem['compaction']> }) {
  const client = useClient();
  const session = useSession();
  if (compaction.undone) return <span className="ch-notice-end ui-muted">Undone</span>;
  const undo = (): void => {
    client.context
      .undoCompaction({ sessionId: session.id, compactionId: compaction.id })
      .catch((error: unknown) => toastError(error, 'The summary was not undone'));
  };
  return (
    <Button variant="quiet" size="small" className="ch-notice-end" onClick={undo}>
      Undo
    </Button>
  );
}

function RetryRow({ item }: { item: NoticeItem }) {
  const client = useClient();
  const session = useSession();
  const until = item.until ?? item.at;
  const waiting = useStore(
    session.state,
    ({ view }) => view.live?.turnId === item.turnId && view.items.at(-1)?.key === item.key,
  );
  const now = useNow(waiting);
  const stop = (): void => {
    client.turn.stop({ sessionId: session.id }).catch(toastError);
  };
  return (
    <div className="ch-notice">
      {waiting ? <Spinner /> : <Icon name="refresh" size={14} className="ui-muted" />}
      <span>{`${item.text.replace(/[.\s]+$/, '')}. ${waiting ? retryWords(until, now) : 'Tried again.'}`}</span>
      {waiting && (
        <Button variant="quiet" size="small" className="ch-notice-end" onClick={stop}>
          End turn
        </Button>
      )}
    </div>
  );
}
