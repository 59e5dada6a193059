import { z } from 'zod';
import { ImageFacts } from '../image/image-facts';
import { WorkspacePath } from './ids';

export const QueuedId = z.string().min(1).max(128).brand<'QueuedId'>();
export type QueuedId = z.infer<typeof QueuedId>;

/** A message that waits for the running turn to end. */
export const QueuedMessage = z.object({
  id: QueuedId,
  text: z.string(),
  /** Files the user mentioned with @. */
  mentions: z.array(WorkspacePath),
  /** Pictures that go with it. */
  images: z.array(ImageFacts).optional(),
  /** Epoch milliseconds. */
  at: z.int(),
});
export type QueuedMessage = z.infer<typeof QueuedMessage>;
