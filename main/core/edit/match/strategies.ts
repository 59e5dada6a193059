import { blockAnchor } from './block-anchor';
import { indentationFlexible, lineTrimmed, whitespaceNormalised } from './by-lines';
import { escapeNormalised } from './escape-normalised';
import { exact } from './exact';
import type { MatchStrategy } from './strategy';
import { unicodeNormalised } from './unicode-normalised';

/** From the strictest to the loosest (E2). */
export const MATCH_STRATEGIES: readonly MatchStrategy[] = [
  exact,
  lineTrimmed,
  whitespaceNormalised,
  indentationFlexible,
  escapeNormalised,
  unicodeNormalised,
  blockAnchor,
];
