import { memo, type ReactNode } from 'react';
import type { Token, Tokens } from 'marked';
import { CodeBlock } from './code-block';
import { Inline, TaskMark } from './inline';
import { StreamTip } from './stream-tip';

interface BlockProps {
  token: Token;
  /** True for the end of a text that is still being written: the tip goes here and code waits for its colours. */
  growing: boolean;
}

/** One block; drawn again only when its source changed. */
export const Block = memo(
  function Block({ token, growing }: BlockProps): ReactNode {
    return renderBlock(token, growing);
  },
  (before, after) =>
    before.growing === after.growing &&
    (before.token === after.token ||
      (before.token.type === after.token.type && before.token.raw === after.token.raw)),
);

function renderBlock(token: Token, growing: boolean): ReactNode {
  switch (token.type) {
    case 'paragraph':
      return (
        <p className="md-p">
          <Inline tokens={token.tokens} />
          {growing && <StreamTip />}
        </p>
      );
    case 'text':
      return (
        <>
          {token.tokens ? <Inline tokens={token.tokens} /> : token.raw}
          {growing && <StreamTip />}
        </>
      );
    case 'heading':
      return <Heading token={token as Tokens.Heading} growing={growing} />;
    case 'code':
      return <Code token={token as Tokens.Code} growing={growing} />;
    case 'list':
      return <List token={token as Tokens.List} growing={growing} />;
    case 'table':
      return <Table token={token as Tokens.Table} growing={growing} />;
    case 'blockquote':
      return (
        <blockquote className="md-quote">
          <Blocks tokens={token.tokens ?? []} growing={growing} />
        </blockquote>
      );
    case 'hr':
      return <hr className="md-hr" />;
    case 'checkbox':
      return <TaskMark done={(token as Tokens.Checkbox).checked} />;
    case 'space':
      return null;
    default:
      return (
        <p className="md-p md-raw">
          {token.raw.trimEnd()}
          {growing && <StreamTip />}
        </p>
      );
  }
}

/** Nested blocks; only the last one can still grow. */
function Blocks({ tokens, growing }: { tokens: readonly Token[]; growing: boolean }) {
  const last = tokens.findLastIndex((token) => token.type !== 'space');
  return (
    <>
      {tokens.map((token, i) => (
        <Block key={i} token={token} growing={growing && i === last} />
      ))}
      {growing && last === -1 && <StreamTip />}
    </>
  );
}

/** The transcript has headings of its own: a text's first level starts below them. */
function Heading({ token, growing }: { token: Tokens.Heading; growing: boolean }) {
  const Tag = (['h3', 'h4', 'h5', 'h6', 'h6', 'h6'] as const)[token.depth - 1] ?? 'h6';
  return (
    <Tag className={`md-h md-h${Math.min(token.depth, 4)}`}>
      <Inline tokens={token.tokens} />
      {growing && <StreamTip />}
    </Tag>
  );
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;

function Code({ token, growing }: { token: Tokens.Code; growing: boolean }) {
  const language = /^\S*/.exec(token.lang ?? '')?.[0] ?? '';
  const fence = FENCE.exec(token.raw)?.[1];
  const closed =
    fence !== undefined && new RegExp(`\\n {0,3}${fence[0]}{${fence.length},}\\s*$`).test(token.raw);
  return <CodeBlock code={token.text} language={language} open={growing && !closed} />;
}

function List({ token, growing }: { token: Tokens.List; growing: boolean }) {
  const items = token.items.map((item, i) => (
    <Item key={i} item={item} growing={growing && i === token.items.length - 1} />
  ));
  if (!token.ordered) return <ul className="md-list">{items}</ul>;
  return (
    <ol className="md-list" start={token.start === '' ? undefined : token.start}>
      {items}
    </ol>
  );
}

const Item = memo(
  function Item({ item, growing }: { item: Tokens.ListItem; growing: boolean }) {
    return (
      <li className={item.task ? 'md-item md-item-task' : 'md-item'}>
        <Blocks tokens={item.tokens} growing={growing} />
      </li>
    );
  },
  (before, after) =>
    before.growing === after.growing &&
    before.item.raw === after.item.raw &&
    before.item.loose === after.item.loose,
);

function Table({ token, growing }: { token: Tokens.Table; growing: boolean }) {
  return (
    <div className="md-table-box" tabIndex={0} role="group" aria-label="Table">
      <table className="md-table">
        <thead>
          <tr>
            {token.header.map((cell, i) => (
              <th key={i} scope="col" className={alignClass(cell)}>
                <Inline tokens={cell.tokens} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {token.rows.map((row, i) => (
            <tr key={i}>
              {row.map((cell, k) => (
                <td key={k} className={alignClass(cell)}>
                  <Inline tokens={cell.tokens} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {growing && <StreamTip />}
    </div>
  );
}

const alignClass = (cell: Tokens.TableCell): string | undefined =>
  cell.align === null ? undefined : `md-align-${cell.align}`;
