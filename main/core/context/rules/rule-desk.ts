import type { RuleFile } from './rule-file';

/** The rules of one session that depend on what is touched. */
export interface RuleDesk {
  /** Rules that touched files brought into play so far, as the model was told them; '' for none. */
  inPlay(): string;
  /** Rules for these files that were not told yet, as a block to stand behind a result; '' for none. */
  forPaths(paths: readonly string[]): Promise<string>;
  /** As `forPaths`, for files the user points at: naming a rules file brings it in. */
  forMentions(paths: readonly string[]): Promise<string>;
  /** Rules in play with the file that brought each in. */
  list(): readonly { rule: RuleFile; path: string }[];
}

/** For a session without a project's rules. */
export const NO_RULES: RuleDesk = {
  inPlay: () => '',
  forPaths: () => Promise.resolve(''),
  forMentions: () => Promise.resolve(''),
  list: () => [],
};
