import { useRef, useState } from 'react';
import { baseName } from '../../lib/files/workspace-path';
import { appInfoStore } from '../../lib/project-store';
import { useStore } from '../../lib/store';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import type { Explorer } from './explorer-store';
import { entryAt, isFolder } from './tree-model';

/** Where deleted things go differs by host, so the question says it. */
function consequence(permanent: boolean, folder: boolean, link: boolean): string {
  const what = link
    ? 'Only the link goes, not what it leads to. '
    : folder
      ? 'Everything in it goes too. '
      : '';
  const how = permanent
    ? 'There is no trash here: it is gone for good and can’t be undone.'
    : 'It moves to the system’s trash.';
  return what + how;
}

export function DeleteDialog({
  explorer,
  path,
  onClose,
}: {
  explorer: Explorer;
  path: string;
  onClose: () => void;
}) {
  const permanent = useStore(appInfoStore, (info) => info?.host !== 'electron');
  const cancel = useRef<HTMLButtonElement>(null);
  const [busy, setBusy] = useState(false);
  const entry = entryAt(explorer.store.get().tree, path);
  const link = entry?.kind === 'link';
  const remove = (): void => {
    setBusy(true);
    void explorer.remove(path).then(onClose);
  };
  return (
    <Dialog
      title={`Delete ${baseName(path)}?`}
      subtitle={path}
      icon="trash"
      tone={permanent ? 'bad' : 'plain'}
      width={440}
      initialFocus={cancel}
      onClose={onClose}
      footer={
        <>
          <Button ref={cancel} onClick={onClose}>
            Cancel
          </Button>
          <span className="ui-grow" />
          <Button variant="danger" busy={busy} onClick={remove}>
            {permanent ? 'Delete for good' : 'Move to trash'}
          </Button>
        </>
      }
    >
      <p>{consequence(permanent, entry !== undefined && isFolder(entry), link)}</p>
    </Dialog>
  );
}
