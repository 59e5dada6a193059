import { distance } from 'fastest-levenshtein';

/** 1-based line of an offset in LF text. */
export function lineOf(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}

/** What the search for a near miss may cost: it runs on the main thread while the model waits. */
const MAX_LINES = 20_000;
const MAX_LINE_CHARS = 200;
const MAX_DISTANCE_LINES = 4000;
const SHOWN_DIFFERENCES = 3;
/** Of a line that stands in many places, so many are candidates. */
const MAX_PLACES = 50;
/** Below this share of equal characters a place is no help. */
const USEFUL = 0.5;

const squeezed = (line: string): string => line.trim().replace(/\s+/g, ' ');

/**
 * Says where `wanted` nearly is and in what it differs, with white space made visible (case-E25, E26): `→` is a tab, `·` a
 * space at the edge of a line.
 */
export function nearestPlace(text: string, wanted: string): string {
  const lines = text.split('\n');
  const asked = wanted.replace(/\n$/, '').split('\n');
  if (lines.length > MAX_LINES) return 'Read the file again to see its exact text.';
  const start = bestWindow(lines, asked);
  if (start === null) return 'Nothing similar is in the file; read it again to see its exact text.';
  return describe(lines, asked, start);
}

/** The window of lines that shares most with the wanted ones: equal apart from white space first, then by letters. */
function bestWindow(lines: string[], asked: string[]): number | null {
  const plain = lines.map(squeezed);
  const wanted = asked.map(squeezed);
  const votes = new Map<number, number>();
  const places = new Map<string, number[]>();
  plain.forEach((line, at) => {
    if (line === '') return;
    const known = places.get(line);
    if (known === undefined) places.set(line, [at]);
    else if (known.length < MAX_PLACES) known.push(at);
  });
  wanted.forEach((line, offset) => {
    for (const at of places.get(line) ?? []) {
      const start = at - offset;
      if (start >= 0) votes.set(start, (votes.get(start) ?? 0) + line.length);
    }
  });
  const voted = [...votes].sort((a, b) => b[1] - a[1] || a[0] - b[0])[0];
  return voted?.[0] ?? mostAlike(plain, wanted);
}

function mostAlike(plain: string[], wanted: string[]): number | null {
  const longest = wanted.reduce(
    (best, line, at) => (line.length > (wanted[best] ?? '').length ? at : best),
    0,
  );
  const needle = (wanted[longest] ?? '').slice(0, MAX_LINE_CHARS);
  let best: { at: number; share: number } = { at: -1, share: USEFUL };
  plain.slice(0, MAX_DISTANCE_LINES).forEach((line, at) => {
    const share = likeness(line.slice(0, MAX_LINE_CHARS), needle, best.share);
    if (share > best.share) best = { at, share };
  });
  return best.at === -1 ? null : Math.max(0, best.at - longest);
}

/** Share of equal characters, 0–1; 0 without counting when the lengths alone keep it at or below `atLeast`. */
function likeness(a: string, b: string, atLeast: number): number {
  const longer = Math.max(a.length, b.length);
  if (longer === 0) return 0;
  if (1 - Math.abs(a.length - b.length) / longer <= atLeast) return 0;
  return 1 - distance(a, b) / longer;
}

function describe(lines: string[], asked: string[], start: number): string {
  const shares = asked.map((line, at) => {
    const file = (lines[start + at] ?? '').slice(0, MAX_LINE_CHARS);
    return file === line.slice(0, MAX_LINE_CHARS) ? 1 : likeness(file, line.slice(0, MAX_LINE_CHARS), 0);
  });
  const alike = Math.floor((100 * shares.reduce((sum, share) => sum + share, 0)) / shares.length);
  const differing = asked.map((_, at) => at).filter((at) => lines[start + at] !== asked[at]);
  const range = asked.length === 1 ? `line ${start + 1}` : `lines ${start + 1}–${start + asked.length}`;
  const head = `The closest place is ${range} (${alike} % alike).`;
  const shown = differing.slice(0, SHOWN_DIFFERENCES).map((at) => {
    const file = lines[start + at];
    return `  line ${start + at + 1}: file has ${visible(file)}\n${' '.repeat(6)}old_string has ${visible(asked[at])}`;
  });
  const more =
    differing.length > shown.length ? [`  (${differing.length - shown.length} more lines differ)`] : [];
  return [head, ...shown, ...more].join('\n');
}

/** A line as a model is shown it, with its white space made visible. */
export function visible(line: string | undefined): string {
  if (line === undefined) return '(end of file)';
  const clipped = line.length > MAX_LINE_CHARS ? `${line.slice(0, MAX_LINE_CHARS)}…` : line;
  const dots = (space: string): string => '·'.repeat(space.length);
  return `|${clipped.replace(/^ +/, dots).replace(/ +$/, dots).replaceAll('\t', '→').replaceAll('\r', '␍').replaceAll('\u00a0', '⍽')}|`;
}
