import { memo } from 'react';
import type { ItemView, SessionView } from '../../../shared/model/session-view';
import type { TurnGroup } from '../../lib/session-items';
import type { OpenSession } from '../../lib/session-store';
import { shallowEqual, useStore } from '../../lib/store';
import { Button } from '../../ui/button';
import { useSession } from './chat-context';
import { AsideCard } from './aside-card';
import { EndRow } from './end-row';
import { isFinal } from './fold-summary';
import { NewerItems } from './newer-items';
import { NoticeRow } from './notice-row';
import { OlderItems } from './older-items';
import { StepRow } from './step-row';
import { ThinkingRow } from './thinking-row';
import { UndoRow } from './undo-row';
import { useItem } from './use-item';
import { useShownMessage } from './use-shown-message';
import { useStickToEnd } from './use-stick-to-end';
import { UserCard } from './user-card';

/** Rows per box that the browser may skip when it is out of view. */
const ROWS_PER_BOX = 20;

/** All that was said and done, newest at the end. Follows the end until the reader goes up. */
export function Transcript() {
  const session = useSession();
  const turns = useStore(session.turns);
  const { scroller, content, following, unseen, toEnd, stopFollowing } = useStickToEnd(session);
  useShownMessage(session, scroller, stopFollowing);
  return (
    <div className="ch-log-frame">
      <div ref={scroller} className="ch-log" role="log" aria-label="Transcript" aria-live="off" tabIndex={0}>
        <div ref={content} className="ch-log-content">
          <OlderItems />
          {turns.map((turn) => (
            <TurnSection key={turn.key} turn={turn} />
          ))}
          <NewerItems />
          <LiveTail />
        </div>
      </div>
      {!following && (
        <Button className="ch-jump" size="small" icon="arrow-down" onClick={toEnd}>
          {unseen ? 'New' : 'To the end'}
        </Button>
      )}
    </div>
  );
}

const TurnSection = memo(function TurnSection({ turn }: { turn: TurnGroup }) {
  const boxes: string[][] = [];
  for (let i = 0; i < turn.itemKeys.length; i += ROWS_PER_BOX) {
    boxes.push(turn.itemKeys.slice(i, i + ROWS_PER_BOX));
  }
  return (
    <article className="ch-turn" aria-label="Turn" data-turn={turn.key}>
      {turn.userKey !== null && <ItemRow itemKey={turn.userKey} />}
      {boxes.map((keys) => (
        <RowBox key={keys[0]} keys={keys} />
      ))}
    </article>
  );
});

const RowBox = memo(
  function RowBox({ keys }: { keys: readonly string[] }) {
    return (
      <div className="ch-rows">
        {keys.map((key) => (
          <ItemRow key={key} itemKey={key} />
        ))}
      </div>
    );
  },
  (before, after) => shallowEqual(before.keys, after.keys),
);

const ItemRow = memo(function ItemRow({ itemKey }: { itemKey: string }) {
  const session = useSession();
  const item = useItem(session, itemKey);
  return item ? <Item item={item} /> : null;
});

function Item({ item }: { item: ItemView }) {
  switch (item.kind) {
    case 'user':
      return <UserCard item={item} />;
    case 'step':
      return <StepRow step={item} />;
    case 'notice':
      return <NoticeRow item={item} />;
    case 'aside':
      return <AsideCard item={item} />;
    case 'undo':
      return <UndoRow item={item} />;
    case 'end':
      return <EndRow item={item} />;
  }
}

/** Since when nothing visible has happened in the running turn; null when something on screen shows that it goes on. */
export function silentSince(view: SessionView): number | null {
  if (!view.live || view.approvals.length > 0 || view.questions.length > 0) return null;
  const last = view.items.at(-1);
  if (!last || last.kind === 'user') return last?.at ?? view.live.startedAt;
  if (last.kind === 'notice') return last.tone === 'retry' ? null : last.at;
  if (last.kind === 'end' || last.kind === 'aside' || last.kind === 'undo') return last.at;
  if (last.status === 'streaming')
    return last.calls.length > 0 && last.calls.every(isFinal) ? lastCallEnd(last) : null;
  return last.startedAt + (last.durationMs ?? 0);
}

const lastCallEnd = (step: Extract<ItemView, { kind: 'step' }>): number =>
  Math.max(...step.calls.map((call) => call.startedAt + (call.durationMs ?? 0)));

function LiveTail() {
  const session: OpenSession = useSession();
  const since = useStore(session.state, ({ view, past }) => (past ? null : silentSince(view)));
  if (since === null) return null;
  return (
    <div className="ch-tail">
      <ThinkingRow since={since} />
    </div>
  );
}
