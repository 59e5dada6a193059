import { useEffect, useRef, useState, type CSSProperties, type KeyboardEvent } from 'react';
import type { FileEntry } from '../../../shared/contract/files';
import { fileIcon } from '../../lib/files/file-icon';
import { extensionOf, joinPath, nameProblem, parentOf } from '../../lib/files/workspace-path';
import { appInfoStore } from '../../lib/project-store';
import { classNames } from '../../ui/class-names';
import { Icon } from '../../ui/icon';
import type { Explorer } from './explorer-store';
import { entryAt } from './tree-model';

type DraftRowProps = { depth: number; explorer: Explorer } & (
  | { renamed: FileEntry; what?: undefined; folder?: undefined; onDone?: undefined }
  | {
      renamed?: undefined;
      what: 'file' | 'folder';
      folder: string;
      onDone: (name: string) => Promise<boolean>;
    }
);

function problemOf(explorer: Explorer, name: string, props: DraftRowProps): string | null {
  if (name === props.renamed?.name) return null;
  const windows = appInfoStore.get()?.platform === 'win32';
  const bad = nameProblem(name, { windows, nested: props.renamed === undefined });
  if (bad !== null) return bad;
  const folder = props.renamed ? parentOf(props.renamed.path) : props.folder;
  const taken = entryAt(explorer.store.get().tree, joinPath(folder, name));
  return taken ? `${name} exists already.` : null;
}

/** A row with a field for the name of a new entry or the new name of one. */
export function DraftRow(props: DraftRowProps) {
  const { depth, explorer, renamed, what, onDone } = props;
  const field = useRef<HTMLInputElement>(null);
  const [name, setName] = useState(renamed?.name ?? '');
  const [touched, setTouched] = useState(false);
  const settled = useRef(false);
  const problem = problemOf(explorer, name, props);
  useEffect(() => {
    const input = field.current;
    input?.focus();
    const extension = renamed?.kind === 'file' ? extensionOf(renamed.name).length + 1 : 0;
    input?.setSelectionRange(0, input.value.length - (extension > 1 ? extension : 0));
  }, [renamed]);
  const cancel = (focusRow: boolean): void => {
    settled.current = true;
    explorer.startDraft(null);
    const selected = explorer.store.get().selected;
    if (focusRow && selected !== null) explorer.show(selected, true);
  };
  const accept = (): void => {
    if (settled.current) return;
    if (problem !== null || name === renamed?.name) {
      if (name === '' || name === renamed?.name) cancel(true);
      else setTouched(true);
      return;
    }
    settled.current = true;
    if (!renamed) void onDone?.(name).then((made) => (settled.current = made));
    else {
      explorer.startDraft(null);
      void explorer.move(renamed.path, joinPath(parentOf(renamed.path), name));
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') cancel(true);
    if (event.key === 'Enter') accept();
    if (event.key === 'Escape' || event.key === 'Enter') event.preventDefault();
  };
  const onBlur = (): void => {
    if (settled.current) return;
    if (problem === null && name !== renamed?.name) accept();
    else cancel(false);
  };
  const bad = problem !== null && (touched || name !== '');
  const icon = renamed?.kind === 'folder' || what === 'folder' ? 'folder' : fileIcon(name);
  const label = renamed ? `New name for ${renamed.name}` : `Name of the new ${what}`;
  return (
    <div
      className="explorer-row explorer-draft"
      role="treeitem"
      aria-level={depth + 1}
      aria-label={renamed ? renamed.name : `New ${what}`}
      style={{ '--depth': depth } as CSSProperties}
    >
      <span className="explorer-gap" />
      <Icon name={icon} />
      <input
        ref={field}
        className={classNames('explorer-field', bad && 'explorer-field-bad')}
        aria-label={label}
        aria-invalid={bad || undefined}
        aria-describedby={bad ? 'explorer-draft-problem' : undefined}
        value={name}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => setName(event.target.value)}
        onKeyDown={onKeyDown}
        onBlur={onBlur}
      />
      {bad && (
        <div className="explorer-problem" id="explorer-draft-problem" role="alert">
          {problem}
        </div>
      )}
    </div>
  );
}
