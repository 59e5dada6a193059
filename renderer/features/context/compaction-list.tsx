import { useState } from 'react';
import type { CompactionInfo } from '../../../shared/contract/context';
import { formatTokens } from '../../lib/format';
import { Button } from '../../ui/button';
import { EmptyState } from '../../ui/empty-state';

interface CompactionListProps {
  compactions: readonly CompactionInfo[];
  onUndo(id: string): void;
}

const TIERS: Readonly<Record<CompactionInfo['tier'], string>> = {
  between_turns: 'Older half summarised',
  full: 'Conversation summarised',
};

const STATES: Readonly<Record<CompactionInfo['state'], string>> = {
  standing: 'In use',
  superseded: 'A later one stands for it',
  undone: 'Undone',
  stale: 'Not used: the history was changed',
};

/** Every summary of this session, newest first: what it won, what it says, and its undoing. */
export function CompactionList({ compactions, onUndo }: CompactionListProps) {
  if (compactions.length === 0)
    return (
      <EmptyState icon="archive" title="Nothing was summarised yet">
        It happens by itself when the window fills, or with /compact in the chat.
      </EmptyState>
    );
  return (
    <ul className="cx-scroll cx-summaries" aria-label="Summaries">
      {compactions.map((each) => (
        <Summary key={each.id} info={each} onUndo={() => onUndo(each.id)} />
      ))}
    </ul>
  );
}

function Summary({ info, onUndo }: { info: CompactionInfo; onUndo(): void }) {
  const [open, setOpen] = useState(info.state === 'standing');
  const when = new Date(info.at).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
  const by = info.madeBy === 'local' ? 'made without a model' : `by ${info.madeBy}`;
  return (
    <li className="cx-summary" data-state={info.state}>
      <div className="cx-summary-head">
        <span className="ui-strong">{TIERS[info.tier]}</span>
        <span className="cx-before-after">
          {`${formatTokens(info.beforeTokens)} → ${formatTokens(info.afterTokens)} tokens`}
        </span>
        <span className="ui-muted">{`${info.replacedMessages} messages · ${when} · ${by}`}</span>
        <span className="cx-summary-end">
          <span className="ui-muted">{STATES[info.state]}</span>
          {info.state === 'standing' && (
            <Button size="small" icon="discard" onClick={onUndo}>
              Undo
            </Button>
          )}
          <Button variant="quiet" size="small" aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? 'Hide' : 'Show'}
          </Button>
        </span>
      </div>
      {info.focus !== '' && <p className="ui-muted">{`Asked to keep in mind: ${info.focus}`}</p>}
      {open && (
        <div className="cx-summary-texts">
          <pre className="cx-text">{info.summary}</pre>
          {info.kept !== '' && (
            <>
              <span className="ui-muted">Kept word for word</span>
              <pre className="cx-text">{info.kept}</pre>
            </>
          )}
        </div>
      )}
    </li>
  );
}
