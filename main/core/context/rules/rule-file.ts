/** When a rules file counts (conventions of Cursor, Claude Code, Copilot and AGENTS.md). */
export type RuleScope =
  /** In every request. */
  | 'always'
  /** Once a file that fits its globs is touched. */
  | 'files'
  /** Once a file in its folder is touched. */
  | 'folder'
  /** Named with its description; the model reads it when it fits. */
  | 'offered'
  /** Only when the user points at it. */
  | 'manual';

/** One rules file, read and cleaned. */
export interface RuleFile {
  /** As people see it: relative to the project folder, `~/…` for the user's own, absolute for the machine's. */
  readonly path: string;
  readonly origin: 'project' | 'user' | 'machine';
  readonly scope: RuleScope;
  readonly description: string;
  /** For `files`. Relative to {@link base}. */
  readonly globs: readonly string[];
  /** Absolute folder that globs and nearness go by. */
  readonly base: string;
  /** Without front matter and hidden characters, with imports in place; cut at the limit of one file. */
  readonly text: string;
  /** Characters before the cut. */
  readonly chars: number;
  readonly cut: boolean;
  /** Invisible characters that were taken out before the model could see them (sec-A27). */
  readonly hiddenCharacters: number;
  readonly imports: readonly string[];
  readonly problems: readonly string[];
}

/** What a rules file's kind says about its front matter. */
export type RuleFormat = 'plain' | 'cursor' | 'claude' | 'copilot';
