import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import { useClient } from '../../lib/client-context';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { ErrorBox } from '../../ui/error-box';
import { Field } from '../../ui/field';
import { Icon } from '../../ui/icon';
import './first-run.css';

export interface FolderDialogProps {
  /** What the folder is for; for opening it as a project when absent. */
  title?: string;
  subtitle?: string;
  action?: string;
  onPick: (path: string) => void;
  onClose: () => void;
}

interface Listing {
  path: string;
  parent: string | null;
  folders: readonly string[];
}

const joinPath = (folder: string, name: string): string => {
  const slash = folder.includes('\\') && !folder.includes('/') ? '\\' : '/';
  return folder.endsWith(slash) ? folder + name : folder + slash + name;
};

/** What a folder holds, and what went wrong when it could not be read; the last good listing stays. */
function useListing() {
  const client = useClient();
  const [wanted, setWanted] = useState('');
  const [listing, setListing] = useState<Listing | null>(null);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    let current = true;
    client.project.browse({ path: wanted }).then(
      (found) => {
        if (!current) return;
        setListing(found);
        setError(null);
      },
      (reason: unknown) => {
        if (current) setError(reason);
      },
    );
    return () => {
      current = false;
    };
  }, [client, wanted]);
  return { listing, error, go: setWanted };
}

/** A path that arrives while the field has the focus is selected: what is typed next takes its place and is not added to it. */
function useSelectedPath(path: string | undefined, typed: string | null): RefObject<HTMLInputElement | null> {
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (path !== undefined && typed === null && document.activeElement === input.current)
      input.current?.select();
  }, [path, typed]);
  return input;
}

/** Picks a folder of the host's machine where there is no native dialog: by typing its path or walking there. */
export function FolderDialog({
  title = 'Open a folder',
  subtitle = 'Lathe reads and changes files only inside it.',
  action = 'Open this folder',
  onPick,
  onClose,
}: FolderDialogProps) {
  const { listing, error, go } = useListing();
  const [typed, setTyped] = useState<string | null>(null);
  const path = typed ?? listing?.path ?? '';
  const input = useSelectedPath(listing?.path, typed);
  const walk = (target: string): void => {
    setTyped(null);
    go(target);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (event.ctrlKey || event.metaKey || path === listing?.path) onPick(path);
    else go(path);
  };
  return (
    <Dialog
      title={title}
      subtitle={subtitle}
      icon="folder-opened"
      width={560}
      onClose={onClose}
      footer={
        <>
          <span className="ui-grow ui-muted">Enter goes there; once there it takes the folder.</span>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" disabled={path === ''} onClick={() => onPick(path)}>
            {action}
          </Button>
        </>
      }
    >
      <Field ref={input} label="Path" value={path} onChange={setTyped} onKeyDown={onKeyDown} icon="folder" />
      {error !== null && <ErrorBox error={error} />}
      {listing && <FolderList listing={listing} onWalk={walk} />}
    </Dialog>
  );
}

function FolderList({ listing, onWalk }: { listing: Listing; onWalk: (path: string) => void }) {
  const list = useRef<HTMLUListElement>(null);
  const { parent } = listing;
  const onKeyDown = (event: KeyboardEvent): void => {
    const rows = [...(list.current?.querySelectorAll<HTMLElement>('button') ?? [])];
    const at = rows.findIndex((row) => row === document.activeElement);
    if (event.key === 'ArrowDown') rows[Math.min(rows.length - 1, at + 1)]?.focus();
    else if (event.key === 'ArrowUp') rows[Math.max(0, at - 1)]?.focus();
    else if (event.key === 'Backspace' && parent !== null) onWalk(parent);
    else return;
    event.preventDefault();
  };
  return (
    <ul ref={list} className="folder-list" aria-label="Folders" onKeyDown={onKeyDown}>
      {parent !== null && (
        <li>
          <button type="button" className="folder-row" onClick={() => onWalk(parent)}>
            <Icon name="arrow-up" className="ui-muted" />
            Parent folder
          </button>
        </li>
      )}
      {listing.folders.map((name) => (
        <li key={name}>
          <button type="button" className="folder-row" onClick={() => onWalk(joinPath(listing.path, name))}>
            <Icon name="folder" className="ui-muted" />
            <span className="ui-clip">{name}</span>
          </button>
        </li>
      ))}
      {listing.folders.length === 0 && <li className="folder-none">No folders in here.</li>}
    </ul>
  );
}
