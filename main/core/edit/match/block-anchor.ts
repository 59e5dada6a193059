import { changesBetween, type Change } from '../line-changes';
import { elidedFind, isElision } from './elision';
import { foldText } from './fold';
import { IndentMap, indentUnit } from './indent-map';
import { indentWidth, splitLine, type SplitLine } from './split-line';
import type { SourceLine, SourceText } from './source-text';
import type { MatchStrategy, Sought } from './strategy';

const MIN_LINES = 3;
/** Of the characters asked for, so many must stand in the block as they are. */
const MIN_ALIKE = 0.6;
/** An anchor needs something to hold on to: a word of three letters. */
const WORTHY = /\p{L}{3}/u;

interface Asked extends SplitLine {
  raw: string;
  key: string;
}

interface Block {
  first: number;
  /** Index of the last line. */
  last: number;
}

/**
 * A block whose first and last lines are right while lines between them are not. The edit is applied three-way: lines that
 * the edit leaves alone stay as the file has them, and where the edit changes a line that differs there is no match.
 */
export const blockAnchor: MatchStrategy = {
  name: 'block-anchor',
  find: (source, sought) => {
    if (sought.oldText.split('\n').some(isElision)) return elidedFind(source, sought);
    const oldLines = withoutEnd(sought.oldText);
    const asked = oldLines.map((raw): Asked => {
      const parts = splitLine(raw);
      return { ...parts, raw, key: foldText(parts.body, 'spaces') };
    });
    const block = asked.length < MIN_LINES ? null : onlyBlock(source, asked);
    if (block === null) return [];
    const merged = merge(source, asked, withoutEnd(sought.newText), block, sought);
    if (merged === null) return [];
    const [from, to] = [source.lines[block.first] as SourceLine, source.lines[block.last] as SourceLine];
    return [{ start: from.offset, end: to.offset + to.length, text: merged }];
  },
};

/** Lines of a text; the break at its end belongs to both sides and is left out. */
function withoutEnd(text: string): string[] {
  const lines = text.split('\n');
  if (lines.length > 1 && lines.at(-1) === '') lines.pop();
  return lines;
}

/** The block between the anchors, when there is exactly one and an anchor is found nowhere else. */
function onlyBlock(source: SourceText, asked: readonly Asked[]): Block | null {
  const keys = source.bodies('spaces');
  const [top, bottom] = [asked[0] as Asked, asked.at(-1) as Asked];
  if (!WORTHY.test(top.key) || top.key.length < 6) return null;
  const first = keys.indexOf(top.key);
  if (first === -1 || keys.indexOf(top.key, first + 1) !== -1) return null;
  const reach = Math.min(keys.length, first + asked.length + Math.max(3, Math.floor(asked.length / 2)));
  const deeper = indentWidth(bottom.indent) - indentWidth(top.indent);
  for (let last = first + 1; last < reach; last += 1) {
    if (keys[last] !== bottom.key) continue;
    const inFile = widthAt(source, last) - widthAt(source, first);
    if (Math.sign(inFile) === Math.sign(deeper)) return { first, last };
  }
  return null;
}

const widthAt = ({ lines }: SourceText, at: number): number => indentWidth((lines[at] as SourceLine).indent);

function merge(
  source: SourceText,
  asked: readonly Asked[],
  newLines: readonly string[],
  block: Block,
  sought: Sought,
): string | null {
  const fileLines = source.lines.slice(block.first, block.last + 1);
  const drift = changesBetween(
    asked.map(({ key }) => key),
    source.bodies('spaces').slice(block.first, block.last + 1),
  );
  const wanted = changesBetween(
    asked.map(({ raw }) => raw),
    [...newLines],
  );
  if (!isAlike(asked, drift) || conflict(drift, wanted)) return null;
  const known = indentsOf(asked, fileLines, drift);
  if (known === null) return null;
  const indents = new IndentMap(known, [sought.oldText, sought.newText], indentUnit(source.lines));
  return apply(fileLines, newLines, { drift, wanted }, indents, asked.length);
}

/** Changes that touch stand for one place that two sides see differently. */
const conflict = (left: readonly Change[], right: readonly Change[]): boolean =>
  left.some(([start, end]) => right.some(([from, to]) => start <= to && from <= end));

function isAlike(asked: readonly Asked[], drift: readonly Change[]): boolean {
  const size = (lines: readonly Asked[]): number => lines.reduce((sum, { key }) => sum + key.length, 0);
  const lost = drift.reduce((sum, [start, end]) => sum + size(asked.slice(start, end)), 0);
  return 1 - lost / size(asked) >= MIN_ALIKE;
}

/** Asked indentation → the file's over all lines that are the same; null when that is not one for one. */
function indentsOf(
  asked: readonly Asked[],
  file: readonly SourceLine[],
  drift: readonly Change[],
): Map<string, string> | null {
  const known = new Map<string, string>();
  let shift = 0;
  for (let at = 0, next = 0; at < asked.length; at += 1) {
    const change = drift[next];
    if (change !== undefined && at >= change[0]) {
      shift = change[3] - change[1];
      at = change[1] - 1;
      next += 1;
      continue;
    }
    const [mine, theirs] = [asked[at] as Asked, file[at + shift] as SourceLine];
    if (mine.key === '') continue;
    if ((known.get(mine.indent) ?? theirs.indent) !== theirs.indent) return null;
    known.set(mine.indent, theirs.indent);
  }
  return known;
}

function apply(
  file: readonly SourceLine[],
  newLines: readonly string[],
  { drift, wanted }: { drift: readonly Change[]; wanted: readonly Change[] },
  indents: IndentMap,
  askedCount: number,
): string {
  const toFile = (at: number): number =>
    at + drift.reduce((shift, [, end, , to]) => (end <= at ? to - end : shift), 0);
  const made: string[] = [];
  let done = 0;
  const keep = (until: number): void => {
    while (done < until) {
      const { indent, body, trail } = file[done++] as SourceLine;
      made.push(indent + body + trail);
    }
  };
  for (const [start, end, from, to] of wanted) {
    keep(toFile(start));
    for (const line of newLines.slice(from, to)) {
      const { indent, body, trail } = splitLine(line);
      made.push(body === '' ? line : indents.map(indent) + body + trail);
    }
    done = toFile(end);
  }
  keep(toFile(askedCount));
  return made.join('\n');
}
