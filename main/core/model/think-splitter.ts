/** A piece of content, sorted into answer and reasoning. */
export interface ContentPiece {
  kind: 'text' | 'reasoning';
  text: string;
}

const OPEN = ['<think>', '<thinking>'];
const CLOSE = ['</think>', '</thinking>'];

/**
 * Takes a leading `<think>…</think>` block out of streamed content (raw local models, fault-F58). Only a block at the
 * very start counts: the same words inside an answer are the answer. Tags may be split over any number of pieces;
 * an unclosed block makes all the rest reasoning.
 */
export class ThinkSplitter {
  private state: 'start' | 'inside' | 'after' | 'plain' = 'start';
  private held = '';

  push(text: string): ContentPiece[] {
    if (this.state === 'plain') return text === '' ? [] : [{ kind: 'text', text }];
    this.held += text;
    return this.drain();
  }

  /** What is still held back because it might have been the beginning of a tag. */
  end(): ContentPiece[] {
    const rest = this.held;
    this.held = '';
    if (rest === '' || (this.state === 'after' && rest.trim() === '')) return [];
    return [{ kind: this.state === 'inside' ? 'reasoning' : 'text', text: rest }];
  }

  private drain(): ContentPiece[] {
    if (this.state === 'start') return this.atStart();
    if (this.state === 'inside') return this.inside();
    return this.after();
  }

  private atStart(): ContentPiece[] {
    const text = this.held.trimStart();
    const tag = OPEN.find((open) => text.startsWith(open));
    if (tag !== undefined) {
      this.state = 'inside';
      this.held = text.slice(tag.length);
      return this.inside();
    }
    if (OPEN.some((open) => open.startsWith(text))) return [];
    return this.release();
  }

  private inside(): ContentPiece[] {
    const found = CLOSE.map((tag) => ({ tag, at: this.held.indexOf(tag) }))
      .filter(({ at }) => at !== -1)
      .toSorted((a, b) => a.at - b.at)[0];
    if (found === undefined) {
      const keep = tagStartAtEnd(this.held);
      return this.reasoning(this.held.length - keep, this.held.length - keep);
    }
    this.state = 'after';
    const pieces = this.reasoning(found.at, found.at + found.tag.length);
    return [...pieces, ...this.after()];
  }

  /** Blank lines between the block and the answer belong to neither. */
  private after(): ContentPiece[] {
    this.held = this.held.trimStart();
    return this.held === '' ? [] : this.release();
  }

  private reasoning(end: number, next: number): ContentPiece[] {
    const text = this.held.slice(0, end);
    this.held = this.held.slice(next);
    return text === '' ? [] : [{ kind: 'reasoning', text }];
  }

  private release(): ContentPiece[] {
    const text = this.held;
    this.held = '';
    this.state = 'plain';
    return [{ kind: 'text', text }];
  }
}

/** How many characters at the end of `text` could be the beginning of a closing tag. */
function tagStartAtEnd(text: string): number {
  const longest = Math.min(text.length, '</thinking>'.length - 1);
  for (let size = longest; size > 0; size -= 1) {
    const tail = text.slice(-size);
    if (CLOSE.some((tag) => tag.startsWith(tail))) return size;
  }
  return 0;
}
