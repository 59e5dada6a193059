import { memo, useMemo } from 'react';
import { Block } from './block';
import {
  advanceMarkdown,
  emptyMarkdown,
  type MarkdownBlock,
  type MarkdownState,
  visibleBlocks,
} from './markdown-blocks';
import { StreamTip } from './stream-tip';
import './markdown.css';

export interface MarkdownProps {
  text: string;
  /** True while more text may come at the end. */
  growing?: boolean;
}

/** Markdown as React elements: no raw HTML, no fetched images. While it grows, only its last block is drawn again. */
export const Markdown = memo(function Markdown({ text, growing = false }: MarkdownProps) {
  const reader = useMemo(() => createReader(), []);
  const state = reader.read(text);
  const blocks = visibleBlocks(state, growing);
  const tail = blocks.slice(state.done.length);
  return (
    <div className="md">
      <DoneBlocks blocks={state.done} />
      {tail.map((block, i) => (
        <Block key={block.start} token={block.token} growing={growing && i === tail.length - 1} />
      ))}
      {growing && tail.length === 0 && <StreamTip />}
    </div>
  );
});

const DoneBlocks = memo(function DoneBlocks({ blocks }: { blocks: readonly MarkdownBlock[] }) {
  return (
    <>
      {blocks.map((block) => (
        <Block key={block.start} token={block.token} growing={false} />
      ))}
    </>
  );
});

/** Remembers what was read: a pure cache, since reading a text gives the same blocks however it came about. */
function createReader(): { read(text: string): MarkdownState } {
  let state = emptyMarkdown;
  return {
    read: (text) => {
      state = advanceMarkdown(state, text);
      return state;
    },
  };
}
