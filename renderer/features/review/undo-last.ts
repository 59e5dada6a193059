import type { ReviewData } from '../../lib/review/review-data';
import { pushToast } from '../../lib/toast-store';

/** Takes the newest decision back and says what came back. */
export function undoLast(data: ReviewData): void {
  void data.undoDecision().then((words) => {
    if (words !== null) pushToast({ tone: 'info', title: words });
  });
}
