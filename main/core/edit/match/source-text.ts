import { foldText, type Fold } from './fold';
import { splitLine, type SplitLine } from './split-line';

export interface SourceLine extends SplitLine {
  /** Where the line begins in the text. */
  offset: number;
  /** Characters without the line break. */
  length: number;
}

/** Beyond these a loose search costs too much: minified and generated files (case-E23). */
const MAX_LOOSE_CHARS = 4_000_000;
const MAX_LOOSE_LINE_CHARS = 50_000;

/** The text that is searched, with what several strategies need of it; worked out when it is asked for. */
export class SourceText {
  private split: SourceLine[] | null = null;
  private ascii: boolean | null = null;
  private readonly folded = new Map<Fold, string[]>();

  /** @param text LF-normalised */
  constructor(readonly text: string) {}

  get lines(): readonly SourceLine[] {
    this.split ??= linesOf(this.text);
    return this.split;
  }

  /** Then there is nothing to fold but blanks. */
  private get isAscii(): boolean {
    this.ascii ??= !/[^\0-\x7f]/.test(this.text);
    return this.ascii;
  }

  /** Whether it can be searched for anything but the exact text. */
  get allowsLoose(): boolean {
    if (this.text.length > MAX_LOOSE_CHARS) return false;
    return this.lines.every(({ length }) => length <= MAX_LOOSE_LINE_CHARS);
  }

  /** The lines without white space at their ends, folded. */
  bodies(fold: Fold): readonly string[] {
    if (fold === 'unicode' && this.isAscii) return this.bodies('spaces');
    let bodies = this.folded.get(fold);
    if (bodies === undefined) {
      bodies = this.lines.map(({ body }) => foldText(body, fold));
      this.folded.set(fold, bodies);
    }
    return bodies;
  }
}

function linesOf(text: string): SourceLine[] {
  let offset = 0;
  return text.split('\n').map((line) => {
    const made = { ...splitLine(line), offset, length: line.length };
    offset += line.length + 1;
    return made;
  });
}
