import { indentWidth, splitLine } from './split-line';

/**
 * Carries the indentation of a replacement over to the place it goes to: what is known from the lines that were found is
 * used as it is, the rest is reckoned from the nearest of them in the file's own unit.
 */
export class IndentMap {
  private readonly steps: { asked: number; file: string }[];
  private readonly scale: number;
  private readonly tabs: boolean;

  /**
   * @param known asked indentation → the file's
   * @param texts what the model wrote: shows how wide its steps are
   * @param unit the file's own step: `\t` or so many spaces
   */
  constructor(
    private readonly known: ReadonlyMap<string, string>,
    texts: readonly string[],
    unit: string,
  ) {
    this.steps = [...known]
      .map(([asked, file]) => ({ asked: indentWidth(asked), file }))
      .sort((a, b) => a.asked - b.asked);
    const nonEmpty = [...known.values()].filter((file) => file !== '');
    this.tabs = nonEmpty.length > 0 ? nonEmpty.every((file) => !file.includes(' ')) : unit === '\t';
    this.scale = this.scaleOf(texts, this.tabs ? '\t' : unit === '\t' ? '    ' : unit);
  }

  get isIdentity(): boolean {
    return [...this.known].every(([asked, file]) => asked === file);
  }

  map(indent: string): string {
    const exact = this.known.get(indent);
    if (exact !== undefined || this.isIdentity) return exact ?? indent;
    const width = indentWidth(indent);
    const base = this.steps.findLast(({ asked }) => asked <= width) ?? this.steps[0];
    if (base === undefined) return indent;
    const more = Math.round((width - base.asked) * this.scale);
    if (more >= 0) return base.file + (this.tabs ? '\t' : ' ').repeat(more);
    return base.file.slice(0, Math.max(0, base.file.length + more));
  }

  /** Characters of the file's indentation per column of the asked one. */
  private scaleOf(texts: readonly string[], unit: string): number {
    for (let at = 1; at < this.steps.length; at += 1) {
      const [low, high] = [this.steps[at - 1], this.steps[at]];
      if (low && high) return (high.file.length - low.file.length) / (high.asked - low.asked);
    }
    const step = stepOf(texts);
    if (step === 0) return this.tabs ? 1 / 4 : 1;
    const only = this.steps[0];
    // The same kind of steps on both sides: the block only stands further in or out.
    if (!this.tabs && (step === unit.length || only === undefined)) return 1;
    return unit.length / step;
  }
}

/** The smallest step between indentations of a text, in columns; 0 when all lines begin in one column. */
function stepOf(texts: readonly string[]): number {
  const widths = new Set<number>();
  for (const line of texts.flatMap((text) => text.split('\n'))) {
    const { indent, body } = splitLine(line);
    if (body !== '') widths.add(indentWidth(indent));
  }
  const sorted = [...widths].sort((a, b) => a - b);
  let least = 0;
  for (let at = 1; at < sorted.length; at += 1) {
    const step = (sorted[at] as number) - (sorted[at - 1] as number);
    if (least === 0 || step < least) least = step;
  }
  return least;
}

const LINES_LOOKED_AT = 2000;

/** The step by which a file's blocks are indented: a tab, or the most frequent number of spaces. */
export function indentUnit(lines: readonly { indent: string; body: string }[]): string {
  let tabs = 0;
  const spaces = new Map<number, number>();
  let last = 0;
  for (const { indent, body } of lines.slice(0, LINES_LOOKED_AT)) {
    if (body === '') continue;
    if (indent.startsWith('\t')) tabs += 1;
    const step = indent.length - last;
    if (!indent.includes('\t') && step > 1 && step <= 8) spaces.set(step, (spaces.get(step) ?? 0) + 1);
    last = indent.length;
  }
  const usual = [...spaces].sort((a, b) => b[1] - a[1])[0];
  if (usual === undefined) return tabs > 0 ? '\t' : '    ';
  return tabs > usual[1] ? '\t' : ' '.repeat(usual[0]);
}
