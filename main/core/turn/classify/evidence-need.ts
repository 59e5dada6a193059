import type { Classification } from '../../../../shared/model/classification';
import { readRequest } from './request-text';
import { SURE } from './sure';

/** "explain" alone names nothing to look at. */
const LEAST_WORDS = 3;

/**
 * Whether a request can only be answered from the code of this project ("how does X work", "where is Y", "explain this
 * code"), as against one that brings its code or error along (H7).
 */
export function needsEvidence(
  text: string,
  { goalKind, chatOnly, confidence, isFollowUp }: Classification,
): boolean {
  if (goalKind !== 'analysis' || chatOnly || isFollowUp || confidence < SURE) return false;
  const { hasCode, hasTrace, files, wordCount } = readRequest(text);
  return files.length > 0 || (wordCount >= LEAST_WORDS && !(hasCode || hasTrace));
}
