import { changesBetween } from '../line-changes';
import { foldWithMap, type Fold } from './fold';
import type { IndentMap } from './indent-map';
import { splitLine } from './split-line';

/** Words, white space and single signs. */
const TOKENS = /[\p{L}\p{N}\p{M}_]+|\s+|[^\p{L}\p{N}\p{M}_\s]/gu;

export interface Fitting {
  fold: Fold;
  indents: IndentMap;
}

/**
 * The replacement as it goes into the file: lines and words that the edit leaves alone are the file's own, down to their
 * blanks and quotes; the others are the model's, with the indentation of the place.
 *
 * @param pairs lines asked for with the lines found for them
 */
export function fitReplacement(
  pairs: readonly { asked: string; file: string }[],
  newLines: readonly string[],
  fitting: Fitting,
): string[] {
  const changes = changesBetween(
    pairs.map(({ asked }) => asked),
    [...newLines],
  );
  const made: string[] = [];
  let oldAt = 0;
  for (const [oldStart, oldEnd, newStart, newEnd] of changes) {
    while (oldAt < oldStart) made.push((pairs[oldAt++] as { file: string }).file);
    const paired = oldEnd - oldStart === newEnd - newStart;
    for (let step = 0; step < newEnd - newStart; step += 1) {
      const line = newLines[newStart + step] as string;
      const pair = paired ? pairs[oldStart + step] : undefined;
      made.push(pair === undefined ? indented(line, fitting) : mergeLine(pair, line, fitting));
    }
    oldAt = oldEnd;
  }
  while (oldAt < pairs.length) made.push((pairs[oldAt++] as { file: string }).file);
  return made;
}

function indented(line: string, { indents }: Fitting): string {
  const { indent, body, trail } = splitLine(line);
  return body === '' ? line : indents.map(indent) + body + trail;
}

function mergeLine(pair: { asked: string; file: string }, line: string, fitting: Fitting): string {
  const [asked, wanted, file] = [splitLine(pair.asked), splitLine(line), splitLine(pair.file)];
  if (wanted.body === '') return line;
  const indent = asked.indent === wanted.indent ? file.indent : fitting.indents.map(wanted.indent);
  const trail = asked.trail === wanted.trail ? file.trail : wanted.trail;
  return indent + mergeBody(asked.body, wanted.body, file.body, fitting.fold) + trail;
}

/** Words that stay between `asked` and `wanted` are taken from the file. */
function mergeBody(asked: string, wanted: string, file: string, fold: Fold): string {
  if (asked === file) return wanted;
  const before = tokensOf(asked);
  const after = tokensOf(wanted);
  const changes = changesBetween(
    before.map(({ text }) => text),
    after.map(({ text }) => text),
  );
  const inFile = sliceFinder(asked, file, fold);
  let made = '';
  let oldAt = 0;
  const keep = (until: number): void => {
    while (oldAt < until) {
      const token = before[oldAt++] as Token;
      made += inFile(token) ?? token.text;
    }
  };
  for (const [oldStart, oldEnd, newStart, newEnd] of changes) {
    keep(oldStart);
    made += after
      .slice(newStart, newEnd)
      .map(({ text }) => text)
      .join('');
    oldAt = oldEnd;
  }
  keep(before.length);
  return made;
}

interface Token {
  text: string;
  start: number;
  end: number;
}

const tokensOf = (text: string): Token[] =>
  [...text.matchAll(TOKENS)].map((match) => ({
    text: match[0],
    start: match.index,
    end: match.index + match[0].length,
  }));

/** Where a piece of the asked line stands in the file's line; null where it can't be told. */
function sliceFinder(asked: string, file: string, fold: Fold): (token: Token) => string | null {
  const left = foldWithMap(asked, fold);
  const right = foldWithMap(file, fold);
  if (left.text !== right.text) return () => null;
  const folded = new Map(left.at.map((original, index) => [original, index]));
  return ({ start, end }) => {
    const [from, to] = [right.at[folded.get(start) ?? -1] ?? -1, right.at[folded.get(end) ?? -1] ?? -1];
    return from === -1 || to === -1 ? null : file.slice(from, to);
  };
}
