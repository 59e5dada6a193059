import { useState } from 'react';
import type { ItemView } from '../../../shared/model/session-view';
import { useClient } from '../../lib/client-context';
import { useStore } from '../../lib/store';
import { toastError } from '../../lib/toast-store';
import { windowStore } from '../../lib/window-store';
import { IconButton } from '../../ui/icon-button';
import { Menu } from '../../ui/menu';
import type { MenuAnchor } from '../../ui/menu-place';
import { useChat, useSession } from './chat-context';
import { RestoreDialog } from './restore-dialog';

type UserItem = Extract<ItemView, { kind: 'user' }>;

/** Opens a fork of the session at this message; before it, its text is in the fork's message box. */
function useFork(item: UserItem): (keep: 'before' | 'through') => void {
  const client = useClient();
  const session = useSession();
  const { model } = useChat();
  const fork = async (keep: 'before' | 'through'): Promise<void> => {
    const made = await client.session.fork({ id: session.id, messageId: item.messageId, keep });
    if (keep === 'before') model.setDraft(made.id, item.text);
    windowStore.activeSession.set(made.id);
  };
  return (keep) => {
    fork(keep).catch((error: unknown) => toastError(error, 'The session could not be forked'));
  };
}

/** Edit, restore and fork at a message of the user. */
export function BranchActions({ item, onEdit }: { item: UserItem; onEdit: () => void }) {
  const session = useSession();
  const running = useStore(session.state, ({ view }) => view.live !== null);
  const fork = useFork(item);
  const [menu, setMenu] = useState<MenuAnchor | null>(null);
  const [restoring, setRestoring] = useState(false);
  const busy = running ? { disabled: true, title: 'Stop the running turn first' } : {};
  return (
    <>
      {!item.interjection && (
        <>
          <IconButton small icon="edit" label="Edit message and run again" onClick={onEdit} {...busy} />
          <IconButton
            small
            icon="history"
            label="Restore to here…"
            onClick={() => setRestoring(true)}
            {...busy}
          />
        </>
      )}
      <IconButton
        small
        icon="repo-forked"
        label="Fork the session here"
        aria-haspopup="menu"
        aria-expanded={menu !== null}
        onClick={(event) => setMenu(event.currentTarget.getBoundingClientRect())}
      />
      {menu && (
        <Menu
          label="Fork the session"
          anchor={menu}
          onClose={() => setMenu(null)}
          entries={[
            { id: 'before', label: 'Fork before this message', onSelect: () => fork('before') },
            { id: 'through', label: 'Fork after its answer', onSelect: () => fork('through') },
          ]}
        />
      )}
      {restoring && <RestoreDialog item={item} onClose={() => setRestoring(false)} />}
    </>
  );
}
