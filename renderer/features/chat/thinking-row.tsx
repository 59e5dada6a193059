import { useNow } from '../../lib/clock';
import { formatClock } from '../../lib/format';
import { Spinner } from '../../ui/spinner';

/** The agent is at work and there is nothing to show yet. */
export function ThinkingRow({ since, label = 'Thinking' }: { since: number; label?: string }) {
  const now = useNow();
  return (
    <span className="ch-thinking">
      <Spinner />
      <span>{`${label}, ${formatClock(now - since)}`}</span>
    </span>
  );
}
