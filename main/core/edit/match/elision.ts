import { findByLines } from './by-lines';
import { indentWidth, type SplitLine } from './split-line';
import type { SourceText } from './source-text';
import type { Found, Sought } from './strategy';

/** `...`, `// … existing code …`, `# ... rest unchanged`: a line that stands for lines left out. */
const ELISION =
  /^\s*(?:(?:\/\/|#|--|\/\*|<!--|;)?\s*(?:\.\.\.|…)(?:\s*\(?[\p{L}\s,']*\)?\s*(?:\.\.\.|…)?)?\s*(?:\*\/|-->)?)\s*$/u;
const MAX_ELIDED_LINES = 400;

/** Whether a line of an edit stands for lines that were left out. */
export const isElision = (line: string): boolean => ELISION.test(line);

/**
 * Text with lines left out, where the edit leaves out the same ones: each part in between is looked for and changed, what
 * was left out stays. One part after the other must have one place.
 */
export function elidedFind(source: SourceText, { oldText, newText }: Sought): Found[] {
  const [oldParts, newParts] = [partsOf(oldText), partsOf(newText)];
  if (oldParts.length !== newParts.length || oldParts.some((part) => part.trim() === '')) return [];
  const places: Found[] = [];
  let [from, base] = [0, 0];
  for (const [index, part] of oldParts.entries()) {
    const found = placesOf(source, part, newParts[index] as string).filter(({ start }) => start >= from);
    const place = index === 0 ? only(found) : next(source, found, from, base);
    if (place === null) return [];
    if (index === 0) base = leastIndent(source, place);
    places.push(place);
    from = place.end;
  }
  return [joined(source, places)];
}

function partsOf(text: string): string[] {
  const parts: string[][] = [[]];
  for (const line of text.split('\n')) {
    if (isElision(line)) parts.push([]);
    else parts.at(-1)?.push(line);
  }
  return parts.map((lines) => lines.join('\n'));
}

function placesOf(source: SourceText, oldText: string, newText: string): Found[] {
  const same = findByLines(source, { oldText, newText }, { fold: 'spaces', indent: 'same' });
  // Parts that only move together would need one shift of all their indentations.
  return same.filter(({ start }) => start === 0 || /[\n]/.test(source.text.charAt(start - 1)));
}

const only = (found: readonly Found[]): Found | null => (found.length === 1 ? (found[0] as Found) : null);

/** The next part: the first place with nothing but deeper lines before it, or else the only one within reach. */
function next(source: SourceText, found: readonly Found[], from: number, base: number): Found | null {
  const [first] = found;
  if (first === undefined) return null;
  const between = source.lines.filter(({ offset }) => offset > from && offset < first.start);
  if (between.length > MAX_ELIDED_LINES) return null;
  const inside = between.every((line) => line.body === '' || indentWidth(line.indent) > base);
  return inside ? first : only(found);
}

function leastIndent(source: SourceText, { start, end }: Found): number {
  const inside = (line: SplitLine & { offset: number }): boolean =>
    line.offset >= start && line.offset < end && line.body !== '';
  return Math.min(...source.lines.filter(inside).map(({ indent }) => indentWidth(indent)));
}

function joined(source: SourceText, places: readonly Found[]): Found {
  const [first, last] = [places[0] as Found, places.at(-1) as Found];
  let text = '';
  let done = first.start;
  for (const place of places) {
    text += source.text.slice(done, place.start) + place.text;
    done = place.end;
  }
  return { start: first.start, end: last.end, text };
}
