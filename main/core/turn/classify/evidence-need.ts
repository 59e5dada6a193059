import type { Classification } from '../../../../shared/model/classification';
import { readRequest } from './request-text';
import { SURE } from './sure';
import { POINTS_HERE, QUESTION_START, QUESTION_STEM } from './vocabulary';

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
  const { prose, hasCode, hasTrace, files, wordCount } = readRequest(text);
  if (files.length > 0) return true;
  if (wordCount < LEAST_WORDS || hasCode || hasTrace) return false;
  const asks = QUESTION_START.test(prose) || QUESTION_STEM.test(prose) || /[?？]\s*$/.test(prose);
  return asks || POINTS_HERE.test(prose);
}
