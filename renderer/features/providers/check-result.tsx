import type { ProviderCheck } from '../../../shared/contract/model';
import { formatCount, formatSpan } from '../../lib/format';
import { Icon } from '../../ui/icon';

/** What the live check found, in words; announced. */
export function CheckResult({ check }: { check: ProviderCheck | null }) {
  return (
    <div role="status" className="check-result">
      {check && <CheckWords check={check} />}
    </div>
  );
}

function CheckWords({ check }: { check: ProviderCheck }) {
  const facts = [
    check.latencyMs === null ? null : `answered in ${formatSpan(check.latencyMs)}`,
    check.models.length === 0 ? null : formatCount(check.models.length, 'model'),
  ].filter((fact) => fact !== null);
  return (
    <div className={check.ok ? 'check-words' : 'check-words check-words-bad'}>
      <Icon name={check.ok ? 'check' : 'error'} className={check.ok ? 'ui-ok' : 'ui-err'} />
      <div className="ui-grow">
        <div>{check.message}</div>
        {check.hint !== null && <div className="ui-soft">{check.hint}</div>}
        {check.ok && facts.length > 0 && <div className="ui-muted">{facts.join(', ')}</div>}
      </div>
    </div>
  );
}
