import { foldText, foldWithMap, type Fold } from './fold';
import { foldIndent, Indents } from './indents';
import { splitLine, type SplitLine } from './split-line';
import type { SourceLine, SourceText } from './source-text';
import type { Span } from './strategy';

/** What may differ between the lines asked for and the lines of the file; white space at the ends of lines always may. */
export interface Looseness {
  fold: Fold;
  indent: 'same' | 'flexible';
}

/** Lines of the file that are the ones asked for. */
export interface LineWindow extends Span {
  /** The asked lines, with those of the file that they are; the first and last may be parts of lines. */
  pairs: { asked: string; file: string }[];
  /** Asked indentation → the file's, for the lines that begin with it. */
  indents: ReadonlyMap<string, string>;
  /** The text asked for ends with a line break that the end of the file lacks. */
  lacksFinalBreak: boolean;
}

/** More places than this are not told apart. */
const MAX_WINDOWS = 50;
const WORD = /[\p{L}\p{N}_$]/u;

interface Asked extends SplitLine {
  raw: string;
  key: string;
}

/** All places where the lines of `wanted` stand, loosely; begin and end may be inside a line, but not inside a word. */
export function findWindows(source: SourceText, wanted: string, loose: Looseness): LineWindow[] {
  const asked = wanted.split('\n').map((raw): Asked => {
    const parts = splitLine(raw);
    return { ...parts, raw, key: foldText(parts.body, loose.fold) };
  });
  if (asked.every(({ key }) => key === '')) return [];
  // A cut inside the indentation of a next line says nothing that could be looked for.
  if (asked.length > 1 && asked.at(-1)?.key === '' && asked.at(-1)?.raw !== '') return [];
  const search = new WindowSearch(source, asked, loose);
  return asked.length === 1 ? search.insideLines() : search.overLines();
}

class WindowSearch {
  private readonly keys: readonly string[];
  private readonly lines: readonly SourceLine[];

  constructor(
    source: SourceText,
    private readonly asked: readonly Asked[],
    private readonly loose: Looseness,
  ) {
    this.keys = source.bodies(loose.fold);
    this.lines = source.lines;
  }

  insideLines(): LineWindow[] {
    const [asked] = this.asked as [Asked];
    const found: LineWindow[] = [];
    for (let at = 0; at < this.keys.length && found.length < MAX_WINDOWS; at += 1) {
      const key = this.keys[at] as string;
      for (let from = key.indexOf(asked.key); from !== -1; from = key.indexOf(asked.key, from + 1)) {
        const window = this.insideLine(asked, at, from);
        if (window !== null) found.push(window);
      }
    }
    return found;
  }

  private insideLine(asked: Asked, at: number, from: number): LineWindow | null {
    const line = this.lines[at] as SourceLine;
    const key = this.keys[at] as string;
    const to = from + asked.key.length;
    if (!breaksAt(key, from) || !breaksAt(key, to)) return null;
    // White space at an end was an end of the line.
    if ((asked.trail !== '' && to !== key.length) || (asked.indent !== '' && from !== 0)) return null;
    if (asked.indent !== '' && !this.sameIndent(asked.indent, line.indent)) return null;
    const { at: map } = foldWithMap(line.body, this.loose.fold);
    const [start, end] = [map[from] ?? -1, map[to] ?? -1];
    if (start === -1 || end === -1) return null;
    const whole = asked.indent !== '' && from === 0;
    const span = {
      start: whole ? line.offset : line.offset + line.indent.length + start,
      end: asked.trail === '' ? line.offset + line.indent.length + end : line.offset + line.length,
    };
    const file = rawOf(line).slice(span.start - line.offset, span.end - line.offset);
    const indents = new Map(whole ? [[asked.indent, line.indent]] : []);
    return { ...span, pairs: [{ asked: asked.raw, file }], indents, lacksFinalBreak: false };
  }

  private sameIndent(asked: string, file: string): boolean {
    if (this.loose.indent === 'flexible') return true;
    return foldIndent(asked, this.loose.fold) === foldIndent(file, this.loose.fold);
  }

  /** Places may overlap: they are candidates, and two of them are one too many. */
  overLines(): LineWindow[] {
    const found: LineWindow[] = [];
    for (let at = 0; at < this.lines.length && found.length < MAX_WINDOWS; at += 1) {
      const window = this.windowAt(at);
      if (window !== null) found.push(window);
    }
    return found;
  }

  private windowAt(at: number): LineWindow | null {
    const first = this.firstLine(at);
    if (first === null) return null;
    const count = this.asked.length;
    const lacksFinalBreak = at + count - 1 === this.lines.length && this.asked[count - 1]?.raw === '';
    const last = lacksFinalBreak ? count - 1 : count;
    if (at + last > this.lines.length) return null;
    const indents = new Indents(this.loose.indent, this.loose.fold);
    if (first.whole && !indents.add(this.asked[0] as Asked, this.lines[at] as SourceLine)) return null;
    for (let step = 1; step < last; step += 1) {
      const asked = this.asked[step] as Asked;
      const line = this.lines[at + step] as SourceLine;
      const same = this.keys[at + step] === asked.key;
      const part = step === count - 1 && this.isBeginning(asked, this.keys[at + step] as string);
      if (!same && !part) return null;
      if (asked.key !== '' && !indents.add(asked, line)) return null;
    }
    return this.windowOf(at, first.start, last, indents, lacksFinalBreak);
  }

  private isBeginning(asked: Asked, key: string): boolean {
    return asked.trail === '' && key.startsWith(asked.key) && breaksAt(key, asked.key.length);
  }

  private firstLine(at: number): { whole: boolean; start: number } | null {
    const asked = this.asked[0] as Asked;
    const key = this.keys[at] as string;
    if (!key.endsWith(asked.key)) return null;
    const line = this.lines[at] as SourceLine;
    const sameLine = key === asked.key;
    if (sameLine && (key === '' || this.sameIndent(asked.indent, line.indent)))
      return { whole: true, start: line.offset };
    if (asked.indent !== '' || !breaksAt(key, key.length - asked.key.length)) return null;
    if (asked.key === '') return { whole: false, start: line.offset + line.length };
    const from = foldWithMap(line.body, this.loose.fold).at[key.length - asked.key.length] ?? -1;
    return from === -1 ? null : { whole: false, start: line.offset + line.indent.length + from };
  }

  private windowOf(
    at: number,
    start: number,
    last: number,
    indents: Indents,
    lacksFinalBreak: boolean,
  ): LineWindow | null {
    const end = lacksFinalBreak
      ? endOf(this.lines[at + last - 1] as SourceLine)
      : this.endOfLast(at + last - 1);
    if (end === null) return null;
    const pairs = this.asked.slice(0, last).map((asked, step) => {
      const line = this.lines[at + step] as SourceLine;
      const from = step === 0 ? start - line.offset : 0;
      const to = step === last - 1 ? end - line.offset : line.length;
      return { asked: asked.raw, file: rawOf(line).slice(from, to) };
    });
    return { start, end, pairs, indents: indents.known, lacksFinalBreak };
  }

  private endOfLast(at: number): number | null {
    const asked = this.asked.at(-1) as Asked;
    const line = this.lines[at] as SourceLine;
    if (asked.raw === '') return line.offset;
    if (this.keys[at] === asked.key)
      return asked.trail === '' ? endOf(line) - line.trail.length : endOf(line);
    const to = foldWithMap(line.body, this.loose.fold).at[asked.key.length] ?? -1;
    return to === -1 ? null : line.offset + line.indent.length + to;
  }
}

const endOf = (line: SourceLine): number => line.offset + line.length;
const rawOf = (line: SplitLine): string => line.indent + line.body + line.trail;

/** Whether a text may be cut here: not inside a word. */
function breaksAt(text: string, at: number): boolean {
  return at <= 0 || at >= text.length || !(WORD.test(text.charAt(at - 1)) && WORD.test(text.charAt(at)));
}
