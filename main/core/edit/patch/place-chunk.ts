import { AppError } from '../../../../shared/error';
import type { Fold } from '../match/fold';
import type { SourceText } from '../match/source-text';
import { indentWidth } from '../match/split-line';
import { seekLines, type SoughtLines } from './seek-lines';
import type { Chunk } from './patch';

/** Where a chunk goes, in 0-based lines. */
export interface Placed {
  start: number;
  /** The line after what the chunk asked for. */
  end: number;
  fold: Fold;
  indents: ReadonlyMap<string, string>;
  /** Not found exactly. */
  loose: boolean;
}

export interface ChunkPosition {
  name: string;
  index: number;
  /** Says where lines nearly are. */
  nearest(lines: readonly string[]): string;
}

const SHOWN = 10;

/**
 * The one place of a chunk at or after `cursor`.
 *
 * @throws AppError `not_found`, `conflict`
 */
export function placeOf(source: SourceText, chunk: Chunk, cursor: number, position: ChunkPosition): Placed {
  const end = lineCount(source);
  const anchored = followAnchors(source, chunk, { from: cursor, to: end }, position);
  const asked = chunk.lines.filter(({ kind }) => kind !== 'add');
  const wanted = asked.map(({ text }) => text);
  if (wanted.length === 0) {
    const start = anchored.line === null || chunk.endOfFile ? end : anchored.line + 1;
    return { start, end: start, fold: 'plain', indents: new Map(), loose: anchored.loose };
  }
  if (chunk.endOfFile) return atEnd(source, wanted, end, chunk, position);
  const spare = wanted.length > 1 && asked.at(-1)?.kind === 'context' && wanted.at(-1) === '';
  const found =
    seekInside(source, wanted, anchored, cursor, end) ??
    // Models add an empty context line that isn't there.
    (spare ? seekInside(source, wanted.slice(0, -1), anchored, cursor, end) : null);
  if (found === null) {
    const before = seekLines(source, wanted, 0, cursor) !== null;
    throw notFound(
      chunk,
      wanted,
      position,
      before ? ' after the chunk before it (chunks go in file order)' : '',
    );
  }
  return placed(only(found, chunk, position), found, wanted, source);
}

/** A text that ends with a line break has an empty last line, which is none. */
function lineCount({ lines, text }: SourceText): number {
  return text.endsWith('\n') || text === '' ? lines.length - 1 : lines.length;
}

interface Range {
  from: number;
  to: number;
}

interface Anchored extends Range {
  /** Line of the last anchor; null without any. */
  line: number | null;
  loose: boolean;
}

/** Each anchor narrows the place: what follows is looked for in its block first. */
function followAnchors(source: SourceText, chunk: Chunk, range: Range, position: ChunkPosition): Anchored {
  let anchored: Anchored = { ...range, line: null, loose: false };
  for (const anchor of chunk.anchors) {
    const inBlock = seekAnchor(source, anchor.text, anchored);
    const found = inBlock ?? seekAnchor(source, anchor.text, { from: anchored.from, to: range.to });
    if (found === null) throw anchorMissing(anchor, position);
    const [line] = found.places;
    if (found.places.length > 1 || line === undefined) throw ambiguous(found.places, anchor.line, position);
    anchored = { from: line + 1, to: blockEnd(source, line, range.to), line, loose: anchored.loose };
  }
  return anchored;
}

/** The whole line first; else the one line that begins with the anchor, as `class A` stands for `class A:`. */
function seekAnchor(source: SourceText, text: string, { from, to }: Range): SoughtLines | null {
  const whole = seekLines(source, [text], from, to);
  if (whole !== null) return whole;
  const wanted = text.trim();
  const places: number[] = [];
  for (let at = from; at < to; at += 1) {
    const body = source.lines[at]?.body ?? '';
    if (body.startsWith(wanted) && !/[\p{L}\p{N}_]/u.test(body.charAt(wanted.length))) places.push(at);
  }
  return places.length === 0 ? null : { places, fold: 'plain', indents: new Map() };
}

/** The line after the block that a line opens: the next one that is indented no deeper, or the end. */
function blockEnd({ lines }: SourceText, at: number, end: number): number {
  const width = indentWidth(lines[at]?.indent ?? '');
  for (let next = at + 1; next < end; next += 1) {
    const line = lines[next];
    if (line !== undefined && line.body !== '' && indentWidth(line.indent) <= width) return next;
  }
  return end;
}

function seekInside(
  source: SourceText,
  wanted: readonly string[],
  anchored: Anchored,
  cursor: number,
  end: number,
): SoughtLines | null {
  if (anchored.line !== null) {
    const inBlock = seekLines(source, wanted, anchored.from, anchored.to);
    if (inBlock !== null) return inBlock;
  }
  const after = seekLines(source, wanted, anchored.from, end);
  if (after !== null || anchored.line === null) return after;
  // The anchor may be the chunk's own first line.
  const withAnchor = seekLines(source, wanted, Math.max(cursor, anchored.line - wanted.length + 1), end);
  return withAnchor?.places[0] !== undefined && withAnchor.places[0] <= anchored.line
    ? { ...withAnchor, places: withAnchor.places.filter((place) => place <= (anchored.line ?? place)) }
    : null;
}

function atEnd(
  source: SourceText,
  wanted: readonly string[],
  end: number,
  chunk: Chunk,
  position: ChunkPosition,
): Placed {
  const found = seekLines(source, wanted, Math.max(0, end - wanted.length), end);
  const [place] = found?.places ?? [];
  if (found === null || place === undefined)
    throw notFound(chunk, wanted, position, ' at the end of the file');
  return placed(place, found, wanted, source);
}

function only({ places }: SoughtLines, chunk: Chunk, position: ChunkPosition): number {
  const [place] = places;
  if (place === undefined || places.length > 1) throw ambiguous(places, chunk.line, position);
  return place;
}

function placed(start: number, found: SoughtLines, wanted: readonly string[], source: SourceText): Placed {
  const exact = wanted.every((text, step) => {
    const line = source.lines[start + step];
    return line !== undefined && line.indent + line.body + line.trail === text;
  });
  return { start, end: start + wanted.length, fold: found.fold, indents: found.indents, loose: !exact };
}

const which = ({ name, index }: ChunkPosition, line: number): string =>
  `\`${name}\`, chunk ${index + 1} (line ${line} of the patch)`;

const failure = (
  code: 'not_found' | 'conflict',
  message: string,
  { name }: ChunkPosition,
  detail: Record<string, unknown>,
): AppError =>
  new AppError(code, message, {
    audience: 'model',
    hint: 'Nothing was written.',
    detail: { path: name, ...detail },
  });

const notFound = (chunk: Chunk, wanted: readonly string[], position: ChunkPosition, where = ''): AppError =>
  failure(
    'not_found',
    `${which(position, chunk.line)}: its lines are not in the file${where}. ${position.nearest(wanted)}`,
    position,
    { reason: 'no_match', line: chunk.line },
  );

const anchorMissing = (anchor: { text: string; line: number }, position: ChunkPosition): AppError =>
  failure(
    'not_found',
    `${which(position, anchor.line)}: \`${anchor.text.trim()}\` after @@ is not in the file. ${position.nearest([anchor.text])}`,
    position,
    { reason: 'no_match', line: anchor.line },
  );

function ambiguous(places: readonly number[], line: number, position: ChunkPosition): AppError {
  const lines = places.slice(0, SHOWN).map((place) => place + 1);
  return failure(
    'conflict',
    `${which(position, line)} fits ${places.length} places (lines ${lines.join(', ')}). Add context lines or an @@ line that only one has.`,
    position,
    { reason: 'ambiguous', line, places: places.length, lines },
  );
}
