import { useId, useRef } from 'react';
import type { ReviewFile } from '../../../shared/model/change';
import { pendingStore } from '../../lib/review/pending-store';
import { pendingTotals, totalsWords } from '../../lib/review/review-words';
import { keyLabel } from '../../lib/keys';
import { useStore } from '../../lib/store';
import { Button } from '../../ui/button';
import { Icon } from '../../ui/icon';
import { IconButton } from '../../ui/icon-button';
import { useChat, useSession } from './chat-context';
import { foldsOf, reviewFolds, toggleList } from './review-folds';
import { ReviewList } from './review-list';
import './review-strip.css';
import { useLostFocus } from './use-lost-focus';

/** Over the message box: what the agent wrote and nobody has looked at yet; opens into files and hunks to decide on. */
export function ReviewStrip() {
  const { onCommand } = useChat();
  const files = useStore(pendingStore, (state) => state.files);
  const box = useRef<HTMLDivElement>(null);
  const none = files.length === 0;
  // The last decision takes all of this away.
  useLostFocus(box, none, () => document.querySelector<HTMLElement>('.ch-dock .ch-input')?.focus());
  if (none || !onCommand) return null;
  const words = totalsWords(pendingTotals(files));
  return (
    <div ref={box} className="ch-review" role="group" aria-label={`${words} to review`}>
      <Strip words={words} files={files} onCommand={onCommand} />
    </div>
  );
}

interface StripProps {
  words: string;
  files: readonly ReviewFile[];
  onCommand: (command: string) => void;
}

function Strip({ words, files, onCommand }: StripProps) {
  const { id } = useSession();
  const open = useStore(reviewFolds, (all) => foldsOf(all, id).open);
  const toggle = useRef<HTMLButtonElement>(null);
  const listId = useId();
  const [count, lines] = words.split(' · ');
  const onToggle = (): void =>
    toggleList(
      id,
      files.map(({ path }) => path),
    );
  return (
    <>
      <div className="ch-review-bar">
        <IconButton
          ref={toggle}
          small
          icon={open ? 'chevron-down' : 'chevron-right'}
          label="Pending changes"
          aria-expanded={open}
          aria-controls={open ? listId : undefined}
          onClick={onToggle}
        />
        <Icon name="checklist" size={14} className="ui-agent" />
        <span className="ui-clip ui-grow" title={words}>
          {count}
          {lines && <span className="ch-review-lines">{` · ${lines}`}</span>}
        </span>
        <StripButtons onCommand={onCommand} />
      </div>
      {open && (
        <ReviewList
          id={listId}
          onReview={() => onCommand('review.open')}
          onLeave={() => toggle.current?.focus()}
        />
      )}
    </>
  );
}

function StripButtons({ onCommand }: Pick<StripProps, 'onCommand'>) {
  return (
    <>
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
    </>
  );
}
