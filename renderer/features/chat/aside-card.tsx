import { memo } from 'react';
import type { ItemView } from '../../../shared/model/session-view';
import { liveAsides } from '../../lib/aside-store';
import { useClient } from '../../lib/client-context';
import { Markdown } from '../../lib/markdown/markdown';
import { useStore } from '../../lib/store';
import { CopyButton } from '../../lib/text/copy-button';
import { toastError } from '../../lib/toast-store';
import { Button } from '../../ui/button';
import { Icon } from '../../ui/icon';
import { Spinner } from '../../ui/spinner';
import { askAside } from './ask-aside';
import { useSession } from './chat-context';

type AsideItem = Extract<ItemView, { kind: 'aside' }>;

/** A side question and its answer: beside the conversation, and no part of it. */
export const AsideCard = memo(function AsideCard({ item }: { item: AsideItem }) {
  const { question, answer } = item;
  return (
    <section className="ch-aside" aria-label="Side question">
      <div className="ch-aside-head">
        <Icon name="comment" size={14} className="ui-muted" />
        <span>Aside – not part of the conversation</span>
      </div>
      <p className="ch-aside-question">{question}</p>
      {answer ? <Answer item={item} answer={answer} /> : <LiveAnswer item={item} />}
    </section>
  );
});

function Answer({ item, answer }: { item: AsideItem; answer: NonNullable<AsideItem['answer']> }) {
  return (
    <>
      {answer.text !== '' && <Markdown text={answer.text} growing={false} />}
      {answer.error && (
        <Unanswered item={item} why={`${answer.error.message} ${answer.error.hint ?? ''}`.trim()} />
      )}
      {answer.stopped && <Unanswered item={item} why="Stopped by you." />}
      {answer.text !== '' && <CopyButton text={answer.text} label="Copy answer" />}
    </>
  );
}

function LiveAnswer({ item }: { item: AsideItem }) {
  const client = useClient();
  const text = useStore(liveAsides, (live) => (live === null ? '' : (live.get(item.asideId) ?? null)));
  if (text === null) return <Unanswered item={item} why="Lathe was closed before the answer came." />;
  const stop = (): void => {
    client.turn.stopAside({ asideId: item.asideId }).catch(toastError);
  };
  return (
    <>
      {text !== '' && <Markdown text={text} growing />}
      <div className="ch-aside-wait">
        <Spinner />
        <span className="ui-muted">Answering</span>
        <Button variant="quiet" size="small" onClick={stop}>
          Stop answer
        </Button>
      </div>
    </>
  );
}

function Unanswered({ item, why }: { item: AsideItem; why: string }) {
  const client = useClient();
  const session = useSession();
  return (
    <div className="ch-aside-wait">
      <Icon name="info" size={14} className="ui-muted" />
      <span>{why}</span>
      <Button variant="quiet" size="small" onClick={() => askAside(client, session.id, item.question)}>
        Ask again
      </Button>
    </div>
  );
}
