import type { StatList } from './stat-list';
import type { Found } from './tree-entry';

/** The sides of a difference, to be filled in. */
export const NO_CHANGE = { movedFrom: null, before: null, after: null };

/** One look at the tree while it goes on. */
export interface Sweep {
  found: Found[];
  touched: string[];
  /** Rules about ignored files changed. */
  rules: boolean;
  /** What a second thread finds out meanwhile. */
  list: StatList | null;
}
