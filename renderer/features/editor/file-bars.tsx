import type { ReactNode } from 'react';
import { LARGE_FILE_BYTES, LARGE_FILE_LINES } from '../../../shared/contract/files';
import { formatCount } from '../../lib/format';
import { useStore } from '../../lib/store';
import { toastError } from '../../lib/toast-store';
import { baseName } from '../../lib/files/workspace-path';
import { Button } from '../../ui/button';
import { Icon } from '../../ui/icon';
import { IconButton } from '../../ui/icon-button';
import type { Editor } from './editor';
import { editorState, type TextView } from './editor-state';
import { formatBytes } from '../../lib/format-bytes';

interface BarProps {
  tone: 'warn' | 'err' | 'info';
  text: ReactNode;
  children?: ReactNode;
}

const ICONS = { warn: 'warning', err: 'error', info: 'info' } as const;

function Bar({ tone, text, children }: BarProps) {
  return (
    <div className={`editor-bar editor-bar-${tone}`} role={tone === 'info' ? 'status' : 'alert'}>
      <Icon name={ICONS[tone]} className={tone === 'info' ? 'ui-accent' : `ui-${tone}`} />
      <span className="editor-bar-text">{text}</span>
      <span className="editor-bar-actions">{children}</span>
    </div>
  );
}

interface FileProps {
  editor: Editor;
  path: string;
  view: TextView;
  /** Both texts are on screen already. */
  compared: boolean;
}

/** Questions and news about the file in front, between its path and its text. */
export function FileBars({
  editor,
  path,
  compared = false,
}: Omit<FileProps, 'view' | 'compared'> & { compared?: boolean }) {
  const view = useStore(editorState, (state) => state.files.get(path));
  if (view?.kind !== 'text') return null;
  return (
    <>
      <ConflictBar editor={editor} path={path} view={view} compared={compared} />
      <FailureBar editor={editor} path={path} view={view} compared={compared} />
      <SizeBar editor={editor} path={path} view={view} compared={compared} />
    </>
  );
}

function ConflictBar({ editor, path, view, compared }: FileProps) {
  const name = baseName(path);
  const { disk, saveWanted } = view.sync;
  if (disk === 'same') return null;
  if (disk === 'deleted') {
    return (
      <Bar tone="warn" text={`${name} was deleted on disk. Its text is kept here.`}>
        <Button size="small" onClick={() => void editor.save(path)}>
          Save again
        </Button>
        <Button size="small" variant="quiet" onClick={() => void editor.close([path])}>
          Close
        </Button>
      </Bar>
    );
  }
  const show = (): void => {
    editor.showConflict(path).catch((error: unknown) => toastError(error, `${name} could not be compared`));
  };
  const what = saveWanted
    ? `${name} was not saved: it changed on disk while you edited it.`
    : `${name} changed on disk while you edited it.`;
  return (
    <Bar tone="warn" text={what}>
      {!compared && (
        <Button size="small" onClick={show}>
          View diff
        </Button>
      )}
      <Button size="small" onClick={() => void editor.reload(path)}>
        Reload
      </Button>
      <Button size="small" onClick={() => void editor.keepMine(path)}>
        Keep mine
      </Button>
    </Bar>
  );
}

function FailureBar({ editor, path, view }: FileProps) {
  const { failure, dirty } = view.sync;
  if (!failure) return null;
  const kept = dirty ? ' Your text is kept in Lathe.' : '';
  const isLacking = dirty && failure.code === 'unsupported_encoding';
  return (
    <Bar tone="err" text={`${failure.message}${kept}${failure.hint === undefined ? '' : ` ${failure.hint}`}`}>
      <Button size="small" onClick={() => void (dirty ? editor.save(path) : editor.reload(path))}>
        Try again
      </Button>
      {isLacking && (
        <Button size="small" onClick={() => void editor.saveAsUtf8(path)}>
          Save as UTF-8
        </Button>
      )}
      <IconButton icon="close" label="Dismiss" small onClick={() => editor.dismissFailure(path)} />
    </Bar>
  );
}

function SizeBar({ editor, path, view }: FileProps) {
  if (!view.large) return null;
  const size = formatBytes(view.sizeBytes);
  const why = view.sizeBytes > LARGE_FILE_BYTES ? '' : ` and over ${formatCount(LARGE_FILE_LINES, 'line')}`;
  const text = view.stale
    ? `${baseName(path)} changed on disk.`
    : `A file of ${size}${why} is shown plain and read-only: no colours, no wrapping.`;
  return (
    <Bar tone="info" text={text}>
      {view.stale && (
        <Button size="small" onClick={() => void editor.reload(path)}>
          Reload
        </Button>
      )}
    </Bar>
  );
}
