import type { Verdict } from '../../lib/review/decide';
import type { ReviewBlock } from '../../lib/review/review-blocks';
import type { Target } from '../../lib/review/review-data';

/** What the list offers to each of its rows. */
export interface RowHost {
  /** Tab goes through the controls of the row one is at. */
  current: boolean;
  onCurrent: (key: string) => void;
  /** Decides on the target of a row. */
  onDecide: (verdict: Verdict, target: Target, row: string) => void;
  onDismiss: (path: string) => void;
  onReview: () => void;
}

/** The props of one kind of row. */
export type RowOf<K extends ReviewBlock['kind']> = RowHost & { row: Extract<ReviewBlock, { kind: K }> };
