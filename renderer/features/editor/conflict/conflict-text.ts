import type { ConflictView } from '../../../../shared/model/change';

/** A part of a file in conflict: lines that both sides agree on, or one of the places where they don't. */
export type Segment =
  | { kind: 'common'; lines: readonly string[] }
  | { kind: 'region'; mine: readonly string[]; undo: readonly string[] };

export type Region = Extract<Segment, { kind: 'region' }>;
/** What becomes of a region: as it is now, as the undo would have it, or both, the present lines first. */
export type Choice = 'mine' | 'undo' | 'both';

const MARKS = { ours: '<<<<<<<', base: '|||||||', middle: '=======', theirs: '>>>>>>>' } as const;
const isMark = (line: string, mark: string): boolean => line === mark || line.startsWith(`${mark} `);

/** The two sides between a region's markers; what stood there before both changes is left out. */
function parseRegion(lines: readonly string[]): Region {
  const mine: string[] = [];
  const undo: string[] = [];
  let into: string[] | null = mine;
  for (const line of lines) {
    if (isMark(line, MARKS.ours)) into = mine;
    else if (isMark(line, MARKS.base) && into === mine) into = null;
    else if (isMark(line, MARKS.middle)) into = undo;
    else if (!isMark(line, MARKS.theirs)) into?.push(line);
  }
  return { kind: 'region', mine, undo };
}

/**
 * The parts of a conflict in order. Where nothing was merged line by line, the whole file is one region.
 */
export function segmentsOf(view: Pick<ConflictView, 'current' | 'wanted' | 'merged' | 'regions'>): Segment[] {
  const { current, wanted, merged, regions } = view;
  if (merged === null || regions.length === 0) {
    const region: Segment = { kind: 'region', mine: linesOf(current), undo: linesOf(wanted) };
    // Every line of a region has its break; the end of the file is common.
    const hasEnd = [current, wanted].some((text) => text?.endsWith('\n'));
    return hasEnd ? [region, { kind: 'common', lines: [''] }] : [region];
  }
  const lines = merged.split('\n');
  const segments: Segment[] = [];
  let at = 0;
  for (const { start, lines: count } of [...regions].sort((a, b) => a.start - b.start)) {
    const from = start - 1;
    if (from > at) segments.push({ kind: 'common', lines: lines.slice(at, from) });
    segments.push(parseRegion(lines.slice(from, from + count)));
    at = from + count;
  }
  if (at < lines.length) segments.push({ kind: 'common', lines: lines.slice(at) });
  return segments;
}

function linesOf(text: string | null): string[] {
  if (text === null || text === '') return [];
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
}

/** What is chosen at first: what was asked for, unless that removes a file that was changed since. */
export const firstChoice = ({ wanted }: Pick<ConflictView, 'wanted'>): Choice =>
  wanted === null ? 'mine' : 'undo';

/** What is saved of a resolved text; null removes the file, where one of the sides has none. */
export const savedText = (
  { current, wanted }: Pick<ConflictView, 'current' | 'wanted'>,
  text: string,
): string | null => (text === '' && (current === null || wanted === null) ? null : text);

/** The lines that a choice leaves of a region. */
export function chosenLines(region: Region, choice: Choice): readonly string[] {
  if (choice === 'mine') return region.mine;
  return choice === 'undo' ? region.undo : [...region.mine, ...region.undo];
}

/** Where a region's lines lie in the resolved text. */
export interface Place {
  /** 1-based; an empty region lies before this line. */
  line: number;
  lines: number;
}

/** The resolved text with one choice per region, and where the regions lie in it. */
export function resolvedText(
  segments: readonly Segment[],
  choices: readonly Choice[],
): { text: string; places: Place[] } {
  const lines: string[] = [];
  const places: Place[] = [];
  let at = 0;
  for (const segment of segments) {
    const part = segment.kind === 'common' ? segment.lines : chosenLines(segment, choices[at] ?? 'undo');
    if (segment.kind === 'region') {
      places.push({ line: lines.length + 1, lines: part.length });
      at += 1;
    }
    lines.push(...part);
  }
  return { text: lines.join('\n'), places };
}

export const regionsOf = (segments: readonly Segment[]): Region[] =>
  segments.filter((segment) => segment.kind === 'region');
