import type { SourceText } from './source-text';

/** The ways to find what a model meant, in the order in which they are tried (E2). */
export type StrategyName =
  | 'exact'
  | 'line-trimmed'
  | 'whitespace-normalised'
  | 'indentation-flexible'
  | 'escape-normalised'
  | 'unicode-normalised'
  | 'block-anchor';

/** Offsets in LF-normalised text, end exclusive. */
export interface Span {
  start: number;
  end: number;
}

/** A place with the text that goes there: the replacement, fitted to what stands there now. */
export interface Found extends Span {
  text: string;
}

/** What a model wants to see replaced, and by what. LF-normalised; `oldText` is not empty. */
export interface Sought {
  oldText: string;
  newText: string;
}

/**
 * One way to find the place. The first strategy that finds anything decides, and only when it finds one place: a looser
 * one would find more of them, not better ones. All but `exact` keep from the file what the edit does not change.
 */
export interface MatchStrategy {
  readonly name: StrategyName;
  /** All places in order; those of `exact` don't overlap, since all of them may be replaced. */
  find(source: SourceText, sought: Sought): Found[];
}
