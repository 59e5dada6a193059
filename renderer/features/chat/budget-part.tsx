import { useState, type FormEvent } from 'react';
import { MICROS } from '../../../shared/model/budget';
import { useClient } from '../../lib/client-context';
import { formatTokens } from '../../lib/format';
import { formatMoney } from '../../lib/money';
import type { Spending } from '../../lib/spending';
import { toastError } from '../../lib/toast-store';
import { Button } from '../../ui/button';
import { Field } from '../../ui/field';
import { asSessionId } from './chat-model';
import { useSession } from './chat-context';
import { useSpending } from './use-spending';
import './budget.css';

/** What the session has cost, what its subagents have, and what it may cost; the budget can be changed here. */
export function BudgetPart() {
  const session = useSession();
  const spending = useSpending(session);
  return spending ? <BudgetNumbers spending={spending} /> : null;
}

function BudgetNumbers({ spending }: { spending: Spending }) {
  const { ownMicros, othersMicros, tokens, limitMicros, limitTokens } = spending;
  const total = ownMicros + othersMicros;
  const share = limitMicros === null ? null : Math.min(100, Math.round((total / limitMicros) * 100));
  return (
    <div className="bu-part">
      <div className="ui-row">
        <span className="ui-strong">Cost</span>
        <span className="ch-card-end ui-soft">
          {limitMicros === null ? formatMoney(total) : `${formatMoney(total)} of ${formatMoney(limitMicros)}`}
        </span>
      </div>
      {share !== null && (
        <div className={share >= 90 ? 'bu-bar bu-bar-low' : 'bu-bar'} aria-hidden="true">
          <i style={{ width: `${share}%` }} />
        </div>
      )}
      {(othersMicros > 0 || limitTokens !== null) && (
        <ul className="ch-context-list">
          {othersMicros > 0 && (
            <li>
              <span>Subagents and their session</span>
              <span className="ch-card-end">{formatMoney(othersMicros)}</span>
            </li>
          )}
          {limitTokens !== null && (
            <li>
              <span>Tokens</span>
              <span className="ch-card-end">{`${formatTokens(tokens)} of ${formatTokens(limitTokens)}`}</span>
            </li>
          )}
        </ul>
      )}
      <BudgetForm key={`${limitMicros}`} spending={spending} />
    </div>
  );
}

/** Dollars as typed: a whole or decimal number, '' for no limit; null for anything else. */
export function parseBudget(text: string): number | null {
  const trimmed = text.trim().replace(/^\$/, '').replace(',', '.');
  if (trimmed === '') return 0;
  const value = Number(trimmed);
  return Number.isFinite(value) && value >= 0 && value <= 100_000 ? Math.round(value * MICROS) : null;
}

function BudgetForm({ spending }: { spending: Spending }) {
  const client = useClient();
  const { rootId, limitMicros, isOwnBudget } = spending;
  const [text, setText] = useState(limitMicros === null ? '' : String(limitMicros / MICROS));
  const parsed = parseBudget(text);
  const set = (budgetMicros: number | null): void => {
    client.session
      .configure({
        id: asSessionId(rootId),
        budgetMicros,
        ...(budgetMicros === null ? { budgetTokens: null } : {}),
      })
      .catch((error: unknown) => toastError(error, 'The budget was not changed'));
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (parsed !== null) set(parsed);
  };
  return (
    <form className="bu-form" onSubmit={submit}>
      <Field
        label="Budget of this session in $"
        value={text}
        placeholder="no limit"
        inputMode="decimal"
        aria-invalid={parsed === null || undefined}
        onChange={setText}
      />
      <Button type="submit" size="small" disabled={parsed === null || parsed === (limitMicros ?? 0)}>
        Set
      </Button>
      {isOwnBudget && (
        <Button size="small" variant="quiet" onClick={() => set(null)}>
          As in settings
        </Button>
      )}
    </form>
  );
}
