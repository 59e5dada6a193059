import { useClient } from '../../lib/client-context';
import { formatCount } from '../../lib/format';
import { keyLabel } from '../../lib/keys';
import { changesOf } from '../../lib/review/review-words';
import { useStore } from '../../lib/store';
import { Button } from '../../ui/button';
import { Icon } from '../../ui/icon';
import { IconButton } from '../../ui/icon-button';
import { decideInFront, stepChange } from './review-actions';
import { frontReview } from './review-texts';

/** Over a file with changes that nobody has looked at yet. */
export function ReviewBar({ path, onCommand }: { path: string; onCommand: (id: string) => void }) {
  const client = useClient();
  const texts = useStore(frontReview);
  if (texts?.file.path !== path) return null;
  const { file } = texts;
  const count = changesOf(file);
  return (
    <div className="editor-bar er-top" role="group" aria-label="Changes to review">
      <Icon name="lathe" size={14} className="ui-agent" />
      <span className="editor-bar-text">{`${formatCount(count, 'change')} by the agent to review`}</span>
      <span className="editor-bar-actions">
        {!file.isOpaque && (
          <>
            <IconButton
              small
              icon="chevron-up"
              label="Previous change"
              keyHint={keyLabel('Shift+F7')}
              onClick={() => stepChange(-1)}
            />
            <IconButton
              small
              icon="chevron-down"
              label="Next change"
              keyHint="F7"
              onClick={() => stepChange(1)}
            />
          </>
        )}
        <Button
          size="small"
          disabled={!file.canReject}
          onClick={() => void decideInFront(client, 'reject', null)}
        >
          Reject file
        </Button>
        <Button size="small" onClick={() => void decideInFront(client, 'accept', null)}>
          Accept file
        </Button>
        <Button
          size="small"
          variant="quiet"
          keyHint={keyLabel('Mod+Shift+G')}
          onClick={() => onCommand('review.open')}
        >
          Review
        </Button>
      </span>
    </div>
  );
}
