import { formatMoney } from '../../lib/money';
import { statusStore } from '../../lib/status-store';
import { useStore } from '../../lib/store';

/** What the session on screen has cost with its subagents; nothing while nothing had a price. */
export function CostItem({ onClick }: { onClick: () => void }) {
  const { spentMicros, limitMicros } = useStore(statusStore.spending);
  if (spentMicros === 0 && limitMicros === null) return null;
  const spent = formatMoney(spentMicros);
  const title =
    limitMicros === null
      ? `${spent} spent by this session and its subagents`
      : `${spent} of ${formatMoney(limitMicros)} spent by this session and its subagents`;
  const isLow = limitMicros !== null && spentMicros >= limitMicros * 0.9;
  return (
    <button
      type="button"
      className={`status-item status-p4${isLow ? ' status-waiting' : ''}`}
      title={title}
      onClick={onClick}
    >
      {limitMicros === null ? spent : `${spent} of ${formatMoney(limitMicros)}`}
    </button>
  );
}
