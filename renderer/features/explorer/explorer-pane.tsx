import { useEffect, useMemo, useState } from 'react';
import { useClient } from '../../lib/client-context';
import { projectStore } from '../../lib/project-store';
import { useStore } from '../../lib/store';
import { ErrorBox } from '../../ui/error-box';
import { Button } from '../../ui/button';
import { IconButton } from '../../ui/icon-button';
import { DeleteDialog } from './delete-dialog';
import { EntryMenu, type MenuPlace } from './entry-menu';
import './explorer.css';
import { createExplorer, type Explorer, type ExplorerNews } from './explorer-store';
import { FileTree } from './file-tree';
import { folderFor, type Draft } from './tree-model';

export interface ExplorerPaneProps extends ExplorerNews {
  onOpen: (path: string, options: { preview: boolean }) => void;
  /** The file in front in the editor; it is marked and brought on screen. */
  activePath: string | null;
}

/** The project's files as a tree. */
export function ExplorerPane({ onOpen, activePath, onMoved, onRemoved }: ExplorerPaneProps) {
  const client = useClient();
  const explorer = useMemo(
    () => createExplorer(client, { onMoved, onRemoved }),
    [client, onMoved, onRemoved],
  );
  const [menu, setMenu] = useState<MenuPlace | null>(null);
  const [doomed, setDoomed] = useState<string | null>(null);
  useEffect(() => explorer.start(), [explorer]);
  useEffect(() => {
    if (activePath !== null && explorer.store.get().selected !== activePath) void explorer.reveal(activePath);
  }, [explorer, activePath]);
  return (
    <div className="explorer">
      <ExplorerHead explorer={explorer} activePath={activePath} />
      <Failure explorer={explorer} />
      <FileTree
        explorer={explorer}
        activePath={activePath}
        onOpen={onOpen}
        onMenu={setMenu}
        onDelete={setDoomed}
      />
      {menu && (
        <EntryMenu
          explorer={explorer}
          place={menu}
          onOpen={onOpen}
          onDelete={setDoomed}
          onClose={() => setMenu(null)}
        />
      )}
      {doomed !== null && <DeleteDialog explorer={explorer} path={doomed} onClose={() => setDoomed(null)} />}
    </div>
  );
}

function ExplorerHead({ explorer, activePath }: { explorer: Explorer; activePath: string | null }) {
  const name = useStore(projectStore, (project) => project?.name ?? '');
  const create = (what: 'file' | 'folder'): void => {
    const { tree, selected } = explorer.store.get();
    const draft: Draft = { kind: 'create', folder: folderFor(tree, selected), what };
    explorer.startDraft(draft);
  };
  return (
    <div className="explorer-head">
      <span className="explorer-project ui-clip" title={name}>
        {name}
      </span>
      <IconButton icon="new-file" label="New file" small onClick={() => create('file')} />
      <IconButton icon="new-folder" label="New folder" small onClick={() => create('folder')} />
      <IconButton
        icon="target"
        label="Show the active file"
        small
        disabled={activePath === null}
        onClick={() => activePath !== null && void explorer.reveal(activePath, true)}
      />
      <IconButton icon="collapse-all" label="Collapse all" small onClick={explorer.collapseAll} />
    </div>
  );
}

function Failure({ explorer }: { explorer: Explorer }) {
  const failure = useStore(explorer.store, (state) => state.failure);
  if (!failure) return null;
  return (
    <div className="explorer-failure">
      <ErrorBox
        title={failure.title}
        error={failure.error}
        actions={
          <Button size="small" onClick={explorer.dismissFailure}>
            Dismiss
          </Button>
        }
      />
    </div>
  );
}
