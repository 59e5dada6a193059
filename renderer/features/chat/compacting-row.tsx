import { useStore } from '../../lib/store';
import { Spinner } from '../../ui/spinner';
import { useSession } from './chat-context';
import { compactingStore } from './compact-session';

/** A model is writing a summary of what came before, by hand or of the harness's own. */
export function CompactingRow() {
  const session = useSession();
  const asked = useStore(compactingStore, (all) => all.has(session.id));
  const running = useStore(session.state, ({ view }) => view.compacting && view.live !== null);
  if (!asked && !running) return null;
  return (
    <div className="ch-compacting" role="status">
      <Spinner />
      <span>Summarising the conversation …</span>
    </div>
  );
}
