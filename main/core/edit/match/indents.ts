import type { Fold } from './fold';
import { indentWidth, type SplitLine } from './split-line';

/** Which indentation stands for which: one for one, and deeper ones stay deeper. */
export class Indents {
  readonly known = new Map<string, string>();

  constructor(
    private readonly indent: 'same' | 'flexible',
    private readonly fold: Fold,
  ) {}

  add({ indent: asked }: SplitLine, { indent: file }: SplitLine): boolean {
    const before = this.known.get(asked);
    if (before !== undefined) return before === file;
    if (this.indent === 'same' && foldIndent(asked, this.fold) !== foldIndent(file, this.fold)) return false;
    for (const [otherAsked, otherFile] of this.known) {
      const order = Math.sign(indentWidth(asked) - indentWidth(otherAsked));
      if (order !== Math.sign(indentWidth(file) - indentWidth(otherFile))) return false;
    }
    this.known.set(asked, file);
    return true;
  }
}

/** Indentations are compared as they are, save for odd spaces. */
export const foldIndent = (indent: string, fold: Fold): string =>
  fold === 'unicode' ? indent.replace(/[^\S\t]/g, ' ') : indent;
