import { useEffect, useState } from 'react';
import type { ContextAction, ContextItem } from '../../../shared/contract/context';
import type { SessionId } from '../../../shared/model/ids';
import { useClient } from '../../lib/client-context';
import { Button } from '../../ui/button';
import { ErrorBox } from '../../ui/error-box';
import { Icon } from '../../ui/icon';
import { ACTIONS, KIND_WORDS, STATE_SIGNS } from './lens-view';

interface ItemDetailProps {
  item: ContextItem;
  sessionId: SessionId;
  onAction(action: ContextAction): void;
}

/** The chosen item: what of it is sent, and what can be done with it. */
export function ItemDetail({ item, sessionId, onAction }: ItemDetailProps) {
  const sign = STATE_SIGNS[item.state];
  return (
    <div className="cx-detail" role="group" aria-label="Chosen item">
      <div className="cx-detail-head">
        <span className="cx-kind">{KIND_WORDS[item.kind]}</span>
        <span className="ui-strong cx-detail-title">{item.title}</span>
      </div>
      <div className="cx-detail-facts ui-muted">
        <span>{`${item.tokens.toLocaleString('en')} tokens`}</span>
        {item.fullTokens !== item.tokens && <span>{`${item.fullTokens.toLocaleString('en')} whole`}</span>}
        {sign && (
          <span className="cx-detail-state">
            <Icon name={sign.icon} size={14} />
            {sign.label}
          </span>
        )}
      </div>
      {item.actions.length > 0 && (
        <div className="cx-actions">
          {item.actions.map((action) => (
            <Button
              key={action}
              size="small"
              icon={ACTIONS[action].icon}
              keyHint={ACTIONS[action].key}
              onClick={() => onAction(action)}
            >
              {ACTIONS[action].label}
            </Button>
          ))}
        </div>
      )}
      <ItemText key={`${item.state} ${item.tokens}`} id={item.id} sessionId={sessionId} />
    </div>
  );
}

interface Texts {
  sent: string | null;
  whole: string;
}

function ItemText({ id, sessionId }: { id: string; sessionId: SessionId }) {
  const client = useClient();
  const [texts, setTexts] = useState<Texts | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [showWhole, setShowWhole] = useState(false);
  useEffect(() => {
    let current = true;
    client.context.item({ sessionId, itemId: id }).then(
      (found) => current && setTexts(found),
      (failure: unknown) => current && setError(failure),
    );
    return () => {
      current = false;
    };
  }, [client, sessionId, id]);
  if (error !== null) return <ErrorBox title="Its text can’t be shown" error={error} />;
  if (!texts) return null;
  const differs = texts.sent !== texts.whole;
  const text = texts.sent === null || showWhole ? texts.whole : texts.sent;
  return (
    <>
      {differs && texts.sent !== null && (
        <Button
          variant="quiet"
          size="small"
          aria-pressed={showWhole}
          onClick={() => setShowWhole(!showWhole)}
        >
          {showWhole ? 'Show what is sent' : 'Show all of it'}
        </Button>
      )}
      <pre className="cx-text" tabIndex={0} aria-label="Text of the item">
        {text}
      </pre>
    </>
  );
}
