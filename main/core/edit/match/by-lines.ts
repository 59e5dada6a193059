import { fitReplacement } from './fit-replacement';
import { IndentMap, indentUnit } from './indent-map';
import { findWindows, type LineWindow, type Looseness } from './line-windows';
import type { SourceText } from './source-text';
import type { Found, MatchStrategy, Sought } from './strategy';

/** Finds the lines asked for, as loosely as said, and fits the replacement to each place. */
export function findByLines(source: SourceText, sought: Sought, loose: Looseness): Found[] {
  return findWindows(source, sought.oldText, loose).map((window) => ({
    start: window.start,
    end: window.end,
    text: fitted(source, window, sought, loose),
  }));
}

function fitted(source: SourceText, window: LineWindow, sought: Sought, { fold }: Looseness): string {
  const indents = new IndentMap(window.indents, [sought.oldText, sought.newText], indentUnit(source.lines));
  const lines = sought.newText.split('\n');
  // The end of the file has no line break, so the replacement gets none either.
  if (window.lacksFinalBreak && lines.at(-1) === '') lines.pop();
  return fitReplacement(window.pairs, lines, { fold, indents }).join('\n');
}

const byLines = (name: MatchStrategy['name'], loose: Looseness): MatchStrategy => ({
  name,
  find: (source, sought) => findByLines(source, sought, loose),
});

/** White space at the ends of lines, and a line break that the end of the file lacks. */
export const lineTrimmed = byLines('line-trimmed', { fold: 'plain', indent: 'same' });

/** Also runs of blanks inside a line. */
export const whitespaceNormalised = byLines('whitespace-normalised', { fold: 'spaces', indent: 'same' });

/** Also indentation, as long as lines stand to each other as they do in the file. */
export const indentationFlexible = byLines('indentation-flexible', { fold: 'spaces', indent: 'flexible' });
