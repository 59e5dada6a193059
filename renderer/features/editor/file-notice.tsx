import type { FileContent } from '../../../shared/contract/files';
import { formatBytes } from '../../lib/format-bytes';
import { EmptyState } from '../../ui/empty-state';

type Notice = Extract<FileContent, { kind: 'binary' | 'too_large' | 'undecodable' }>;

function wordsOf(content: Notice): { icon: string; title: string; text: string } {
  const size = formatBytes(content.sizeBytes);
  if (content.kind === 'binary') {
    return {
      icon: 'file-binary',
      title: 'This file is not text',
      text: `${size}. Its first bytes are shown below; it can’t be edited here.`,
    };
  }
  if (content.kind === 'too_large') {
    return {
      icon: 'file',
      title: `This file is too large to open: ${size}`,
      text: 'Its beginning is shown below. Files up to 100 MB can be opened, up to 20 MB edited.',
    };
  }
  return {
    icon: 'warning',
    title: 'This file’s encoding is not known',
    text: `${content.reason} It is left as it is, so that nothing in it gets lost.`,
  };
}

/** Why a file is not shown as text, and what can be shown of it. */
export function FileNotice({ content }: { content: Notice }) {
  const { icon, title, text } = wordsOf(content);
  const shown =
    content.kind === 'binary' ? content.hexPreview : content.kind === 'too_large' ? content.head : null;
  return (
    <div className="editor-body-fill editor-notice">
      <EmptyState icon={icon} title={title}>
        {text}
      </EmptyState>
      {shown !== null && (
        <pre className="editor-bytes" tabIndex={0} aria-label="Beginning of the file">
          {shown}
        </pre>
      )}
    </div>
  );
}
