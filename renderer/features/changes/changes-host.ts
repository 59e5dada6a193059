/** Two texts for the editor's comparison. */
export interface Compared {
  title: string;
  path: string;
  original: string;
  modified: string;
  sides: readonly [string, string];
}

/** What the window offers to the pages about changes. */
export interface ChangesHost {
  onOpenFile(path: string): void;
  onCompare(texts: Compared): void;
}
