import { useState } from 'react';
import { createStore, useStore } from '../../lib/store';

/** What the last decision in the list over the message box did. */
export const reviewSpoken = createStore('');

/** What the chat's live region says: the session's sentence or the decision's, whichever changed last. */
export function useReviewSpoken(sentence: string): string {
  const decision = useStore(reviewSpoken);
  const [now, setNow] = useState({ sentence, decision, shown: sentence });
  if (now.sentence === sentence && now.decision === decision) return now.shown;
  const shown = now.decision === decision ? sentence : decision;
  setNow({ sentence, decision, shown });
  return shown;
}
