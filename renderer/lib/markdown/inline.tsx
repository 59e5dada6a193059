import { use, type MouseEvent, type ReactNode } from 'react';
import type { Token, Tokens } from 'marked';
import { Icon } from '../../ui/icon';
import { VisibleText } from '../text/visible-text';
import { decodeEntities } from './entities';
import { MarkdownHostContext } from './markdown-host';
import { hostOf, projectPath, safeLink, type SafeLink } from './safe-link';

/** Inline tokens as React elements. Everything that is not known is shown as the text it is. */
export function Inline({ tokens }: { tokens: readonly Token[] | undefined }) {
  return (
    <>
      {(tokens ?? []).map((token, i) => (
        <InlineToken key={i} token={token} />
      ))}
    </>
  );
}

function InlineToken({ token }: { token: Token }): ReactNode {
  switch (token.type) {
    case 'text': {
      const text = token as Tokens.Text;
      return text.tokens ? <Inline tokens={text.tokens} /> : decodeEntities(text.text);
    }
    case 'escape':
      return (token as Tokens.Escape).text;
    case 'strong':
      return (
        <strong>
          <Inline tokens={token.tokens} />
        </strong>
      );
    case 'em':
      return (
        <em>
          <Inline tokens={token.tokens} />
        </em>
      );
    case 'del':
      return (
        <del>
          <Inline tokens={token.tokens} />
        </del>
      );
    case 'codespan':
      return <CodeSpan text={(token as Tokens.Codespan).text} />;
    case 'br':
      return <br />;
    case 'link':
      return <Link token={token as Tokens.Link} />;
    case 'image':
      return <InertImage token={token as Tokens.Image} />;
    case 'checkbox':
      return <TaskMark done={(token as Tokens.Checkbox).checked} />;
    default:
      return token.raw;
  }
}

function CodeSpan({ text }: { text: string }) {
  const host = use(MarkdownHostContext);
  const target = projectPath(text);
  if (!target || !text.includes('/')) {
    return (
      <code className="md-code">
        <VisibleText text={text} />
      </code>
    );
  }
  return (
    <button
      type="button"
      className="md-code md-path"
      title={`Open ${target.path} in the editor`}
      onClick={() => host.openFile(target.path, target.line)}
    >
      <VisibleText text={text} />
    </button>
  );
}

function Link({ token }: { token: Tokens.Link }) {
  const host = use(MarkdownHostContext);
  const href = decodeEntities(token.href);
  const link = safeLink(href);
  if (link) return <OutsideLink token={token} link={link} />;
  const target = projectPath(href);
  if (!target) return <Inline tokens={token.tokens} />;
  return (
    <button
      type="button"
      className="md-link"
      title={`Open ${target.path} in the editor`}
      onClick={() => host.openFile(target.path, target.line)}
    >
      <Inline tokens={token.tokens} />
    </button>
  );
}

/** The host stands beside the text unless the text says it: a link can't pretend to lead elsewhere. */
function OutsideLink({ token, link }: { token: Tokens.Link; link: SafeLink }) {
  const host = use(MarkdownHostContext);
  const open = (event: MouseEvent): void => {
    event.preventDefault();
    host.openLink(link.url);
  };
  const saysHost = token.text === token.href || token.text === link.host;
  return (
    <a className="md-link" href={link.url} title={link.url} rel="noreferrer" onClick={open} onAuxClick={open}>
      <Inline tokens={token.tokens} />
      {!saysHost && <span className="md-host">{` ${link.host}`}</span>}
    </a>
  );
}

/** An image is named, never fetched: its address could carry data away (sec-D04). */
function InertImage({ token }: { token: Tokens.Image }) {
  const host = hostOf(token.href);
  return (
    <span className="md-image" title={token.href}>
      <Icon name="file-media" size={14} />
      {token.text === '' ? 'Image' : token.text}
      <span className="md-host">{host === '' ? 'not shown' : `${host}, not loaded`}</span>
    </span>
  );
}

export function TaskMark({ done }: { done: boolean }) {
  return (
    <Icon
      name={done ? 'pass-filled' : 'circle-large'}
      size={13}
      className={done ? 'md-task md-task-done' : 'md-task'}
      label={done ? 'Done' : 'Not done'}
    />
  );
}
