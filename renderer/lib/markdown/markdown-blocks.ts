import { Lexer, Tokenizer, type Token, type TokenizerObject, type Tokens } from 'marked';

export type { Token, Tokens };

/** One top-level piece of a Markdown text. A finished block never changes again: its identity is its cache key. */
export interface MarkdownBlock {
  /** Offset of the block in the text, in UTF-16 units. */
  readonly start: number;
  readonly token: Token;
}

/** What is known of a text that grows at its end. */
export interface MarkdownState {
  readonly text: string;
  /** Blocks that no further text can change. */
  readonly done: readonly MarkdownBlock[];
  /** Where the part starts that is read again with every addition. */
  readonly openStart: number;
  readonly open: readonly MarkdownBlock[];
}

/**
 * Link definitions would let the end of a text change its beginning, and hide a link's or an image's address far from its
 * name: they are read as the text they are.
 */
const withoutReferences: TokenizerObject = { def: () => undefined, reflink: () => undefined };

function makeTokenizer(): Tokenizer {
  return Object.assign(new Tokenizer(), withoutReferences);
}

function lex(text: string, offset: number): MarkdownBlock[] {
  const tokens = new Lexer({ gfm: true, tokenizer: makeTokenizer() }).lex(text);
  const blocks: MarkdownBlock[] = [];
  let start = offset;
  for (const token of tokens) {
    if (token.type !== 'space') blocks.push({ start, token });
    start += token.raw.length;
  }
  return blocks;
}

/** marked reads CR and CRLF as LF; doing it before keeps its offsets ours. */
const normalize = (text: string): string => (text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text);

export const emptyMarkdown: MarkdownState = { text: '', done: [], openStart: 0, open: [] };

/**
 * Reads `text`, using what is known when it only grew. Costs the length of the open block, not of the text.
 * `[...state.done, ...state.open]` are the same blocks that reading the whole text at once gives.
 */
export function advanceMarkdown(state: MarkdownState, nextText: string): MarkdownState {
  const text = normalize(nextText);
  if (text === state.text) return state;
  const known = text.startsWith(state.text) ? state : emptyMarkdown;
  const blocks = lex(text.slice(known.openStart), known.openStart);
  const keepFrom = firstOpenBlock(blocks, text);
  if (keepFrom === 0)
    return { text, done: known.done, openStart: known.openStart, open: reuse(known.open, blocks) };
  return {
    text,
    done: [...known.done, ...reuse(known.open, blocks.slice(0, keepFrom))],
    openStart: blocks[keepFrom]?.start ?? text.length,
    open: blocks.slice(keepFrom),
  };
}

/**
 * All blocks before the last one whose first line is complete are settled: more text can lengthen the last block or turn
 * it into another kind, and an unfinished line can still become part of the block before it.
 */
function firstOpenBlock(blocks: readonly MarkdownBlock[], text: string): number {
  for (let i = blocks.length - 1; i > 0; i -= 1) {
    if (text.indexOf('\n', blocks[i]?.start) !== -1) return i;
  }
  return 0;
}

/** Keeps the identity of blocks that came out the same, so that only what changed is drawn again. */
function reuse(before: readonly MarkdownBlock[], after: readonly MarkdownBlock[]): MarkdownBlock[] {
  return after.map((block, i) => {
    const old = before[i];
    return old?.start === block.start &&
      old.token.type === block.token.type &&
      old.token.raw === block.token.raw
      ? old
      : block;
  });
}

/**
 * Blocks to draw. While the text grows, a table's last line is held back until it is complete: half a row would jump.
 */
export function visibleBlocks(state: MarkdownState, growing: boolean): readonly MarkdownBlock[] {
  const last = state.open.at(-1);
  if (!growing || last?.token.type !== 'table' || state.text.endsWith('\n')) {
    return state.done.length === 0 ? state.open : [...state.done, ...state.open];
  }
  const complete = state.text.slice(last.start, state.text.lastIndexOf('\n') + 1);
  return [...state.done, ...state.open.slice(0, -1), ...lex(complete, last.start)];
}
