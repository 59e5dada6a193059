import type { ImagePart } from '../model/port';
import { inspectPart } from './image-part';

/** Pixels that one token stands for, by the formula that Anthropic gives: width × height / 750. */
const PIXELS_PER_TOKEN = 750;
/** Larger pictures are scaled down by providers to about this many tokens (1,568 at Anthropic, 1,445 at OpenAI at most). */
const MOST_TOKENS = 1_600;
/** The least that is billed: OpenAI's base price. */
const LEAST_TOKENS = 85;

/** Tokens of a picture for estimates: pixels / 750, between {@link LEAST_TOKENS} and {@link MOST_TOKENS}. */
export function imageTokens(part: ImagePart): number {
  const found = inspectPart(part);
  if (!found.ok) return MOST_TOKENS;
  const tokens = Math.ceil((found.width * found.height) / PIXELS_PER_TOKEN);
  return Math.min(MOST_TOKENS, Math.max(LEAST_TOKENS, tokens));
}
