import { useState, type ReactNode } from 'react';
import type { ReviewData } from '../../lib/review/review-data';
import { RejectAllDialog } from './reject-all-dialog';

export interface ReviewAll {
  accept: () => void;
  reject: () => void;
  /** The question, while it is open. */
  dialog: ReactNode;
}

const EVERY_FILE = { path: null, hunkId: null } as const;

/** Accepting and rejecting all that is listed; several files are rejected only after a question. */
export function useReviewAll(data: ReviewData): ReviewAll {
  const [asking, setAsking] = useState(false);
  const rejectNow = (): void => void data.decide('reject', EVERY_FILE);
  return {
    accept: () => void data.decide('accept', EVERY_FILE),
    reject: () => {
      if (data.state.get().files.length > 1) setAsking(true);
      else rejectNow();
    },
    dialog: asking ? (
      <RejectAllDialog files={data.state.get().files} onReject={rejectNow} onClose={() => setAsking(false)} />
    ) : null,
  };
}
