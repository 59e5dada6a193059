import { z } from 'zod';

export const ImageMime = z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
export type ImageMime = z.infer<typeof ImageMime>;

/** A picture as events and views name it; its bytes are asked for by message and place (`session.image`). */
export const ImageFacts = z.object({
  mime: ImageMime,
  /** Pixels. */
  width: z.int(),
  height: z.int(),
  bytes: z.int(),
  /** Name of the file it came from, where there was one. */
  name: z.string().max(300).optional(),
});
export type ImageFacts = z.infer<typeof ImageFacts>;

/** A picture on its way to a model: whatever was picked, so far unchecked. */
export const GivenImage = z.object({
  /** As its sender says; what it is in truth is seen by its bytes. */
  mime: z.string().max(200).default(''),
  /** At most twice what a picture may have, so that one that is too large is told with its size. */
  base64: z.string().max(14_000_000),
  name: z.string().max(300).optional(),
});
export type GivenImage = z.infer<typeof GivenImage>;

const KINDS: Record<ImageMime, string> = {
  'image/png': 'PNG',
  'image/jpeg': 'JPEG',
  'image/gif': 'GIF',
  'image/webp': 'WebP',
};

/** "PNG", "JPEG" … */
export const imageKind = (mime: ImageMime): string => KINDS[mime];
