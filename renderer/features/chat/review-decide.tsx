import type { KeyboardEvent } from 'react';
import type { Verdict } from '../../lib/review/decide';
import { CANNOT_REJECT } from '../../lib/review/file-facts';
import { Button } from '../../ui/button';

/** A decides to accept and R to reject where the row itself has the focus. */
export function decideByKey(
  event: KeyboardEvent,
  canReject: boolean,
  decide: (verdict: Verdict) => void,
  open: () => void,
): void {
  if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
  const keys: Record<string, () => void> = {
    a: () => decide('accept'),
    r: () => canReject && decide('reject'),
    Enter: open,
  };
  const act = keys[event.key];
  if (!act) return;
  event.preventDefault();
  event.stopPropagation();
  act();
}

interface DecideButtonsProps {
  canReject: boolean;
  tabIndex: number;
  onDecide: (verdict: Verdict) => void;
}

export function DecideButtons({ canReject, tabIndex, onDecide }: DecideButtonsProps) {
  return (
    <>
      <Button
        size="small"
        variant="quiet"
        tabIndex={tabIndex}
        disabled={!canReject}
        title={canReject ? 'Reject (R)' : CANNOT_REJECT}
        onClick={() => onDecide('reject')}
      >
        Reject
      </Button>
      <Button
        size="small"
        variant="quiet"
        tabIndex={tabIndex}
        title="Accept (A)"
        onClick={() => onDecide('accept')}
      >
        Accept
      </Button>
    </>
  );
}
