import { createContext } from 'react';

/** What a Markdown text may ask of the window around it. */
export interface MarkdownHost {
  /** Opens an http, https or mailto address outside the window. */
  openLink(url: string): void;
  /** Opens a file of the project at a 1-based line. */
  openFile(path: string, line?: number): void;
}

/** Without a provider, links and paths do nothing. */
export const MarkdownHostContext = createContext<MarkdownHost>({
  openLink: () => undefined,
  openFile: () => undefined,
});
