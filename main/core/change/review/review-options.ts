import type { UndoService } from '../types';
import type { Accepts } from './accepts';
import type { PendingFiles } from './pending-files';
import type { RejectPort } from './reject';
import type { ReviewBases } from './review-start';

/** What the review needs. */
export interface ReviewOptions {
  pendingFiles: PendingFiles;
  bases: ReviewBases;
  accepts: Accepts;
  undo: Pick<UndoService, 'undo'>;
  port: RejectPort;
}
