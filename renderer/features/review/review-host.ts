import type { ReviewFile } from '../../../shared/model/change';

/** What the window offers to the review. */
export interface ReviewHost {
  onOpenFile(path: string, line?: number): void;
  /** The file with its accepted text beside it; the right side can be edited. */
  onSideBySide(file: ReviewFile): void;
  /** When the review was asked for, as `performance.now()` counts: then it takes the focus. */
  readonly askedAt: number;
  /** Leaves the review for the chat. */
  onLeave(): void;
}
