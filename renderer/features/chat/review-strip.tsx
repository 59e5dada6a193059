import { pendingStore } from '../../lib/review/pending-store';
import { pendingTotals, totalsWords } from '../../lib/review/review-words';
import { keyLabel } from '../../lib/keys';
import { useStore } from '../../lib/store';
import { Button } from '../../ui/button';
import { Icon } from '../../ui/icon';
import { useChat } from './chat-context';
import './review-strip.css';

/** Over the message box: what the agent wrote and nobody has looked at yet. */
export function ReviewStrip() {
  const { onCommand } = useChat();
  const files = useStore(pendingStore, (state) => state.files);
  if (files.length === 0 || !onCommand) return null;
  const words = totalsWords(pendingTotals(files));
  return (
    <div className="ch-review" role="group" aria-label={`${words} to review`}>
      <Icon name="checklist" size={14} className="ui-agent" />
      <span className="ui-clip ui-grow">{words}</span>
      <Button size="small" variant="quiet" onClick={() => onCommand('review.rejectAll')}>
        Reject all
      </Button>
      <Button size="small" variant="quiet" onClick={() => onCommand('review.acceptAll')}>
        Accept all
      </Button>
      <Button
        size="small"
        title={`Review changes (${keyLabel('Mod+Shift+G')})`}
        onClick={() => onCommand('review.open')}
      >
        Review
      </Button>
    </div>
  );
}
