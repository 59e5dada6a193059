import { z } from 'zod';
import { GivenImage } from './image-facts';

/** More than a message may have, so that the core can say how many are too many. */
export const GivenImages = z.array(GivenImage).max(50).default([]);

/** A message says something: words, or a picture. */
export const isSaid = ({ text, images }: { text: string; images: readonly GivenImage[] }): boolean =>
  text !== '' || images.length > 0;

export const NOTHING_SAID = { path: ['text'], message: 'a message needs text or an image' };
