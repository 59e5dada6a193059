import { useRef, useState } from 'react';
import type { ItemView } from '../../../shared/model/session-view';
import { useClient } from '../../lib/client-context';
import { useStore } from '../../lib/store';
import { pushToast, toastError } from '../../lib/toast-store';
import { windowStore } from '../../lib/window-store';
import { Button } from '../../ui/button';
import { Checkbox } from '../../ui/checkbox';
import { Dialog } from '../../ui/dialog';
import { ErrorBox } from '../../ui/error-box';
import { IconButton } from '../../ui/icon-button';
import { Menu } from '../../ui/menu';
import type { MenuAnchor } from '../../ui/menu-place';
import { useChat, useSession } from './chat-context';

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

/** Edit, go back and fork at a message of the user. */
export function BranchActions({ item, onEdit }: { item: UserItem; onEdit: () => void }) {
  const session = useSession();
  const running = useStore(session.state, ({ view }) => view.live !== null);
  const fork = useFork(item);
  const [menu, setMenu] = useState<MenuAnchor | null>(null);
  const [rewinding, setRewinding] = useState(false);
  const busy = running ? { disabled: true, title: 'Stop the running turn first' } : {};
  return (
    <>
      {!item.interjection && (
        <>
          <IconButton small icon="edit" label="Edit message and run again" onClick={onEdit} {...busy} />
          <IconButton
            small
            icon="discard"
            label="Go back to before this message"
            onClick={() => setRewinding(true)}
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
      {rewinding && <RewindDialog item={item} onClose={() => setRewinding(false)} />}
    </>
  );
}

function RewindDialog({ item, onClose }: { item: UserItem; onClose: () => void }) {
  const client = useClient();
  const session = useSession();
  const cancel = useRef<HTMLButtonElement>(null);
  const [keepFork, setKeepFork] = useState(true);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const rewind = async (): Promise<void> => {
    setBusy(true);
    try {
      const { text, kept } = await client.session.rewind({
        ...{ id: session.id, messageId: item.messageId, keepFork },
      });
      onClose();
      windowStore.draft.set({ text });
      if (kept) tellKept(kept.title, kept.id);
    } catch (reason) {
      setError(reason);
      setBusy(false);
    }
  };
  return (
    <Dialog
      title="Go back to before this message?"
      icon="discard"
      width={460}
      onClose={onClose}
      initialFocus={cancel}
      footer={
        <>
          <span className="ui-grow" />
          <Button ref={cancel} onClick={onClose}>
            Cancel
          </Button>
          <Button variant="primary" busy={busy} onClick={() => void rewind()}>
            Go back
          </Button>
        </>
      }
    >
      <p>
        This message and all that came after it leave the chat, and the agent forgets it. Files stay as they
        are: changes that were made since are not undone.
      </p>
      <Checkbox checked={keepFork} onChange={setKeepFork}>
        Keep what leaves as a session of its own
      </Checkbox>
      {error !== null && <ErrorBox error={error} />}
    </Dialog>
  );
}

/** Says where the old branch is, and leads there. */
export function tellKept(title: string, id: string): void {
  pushToast({
    tone: 'info',
    title: 'The earlier branch is kept',
    text: title,
    actions: [{ label: 'Open it', run: () => windowStore.activeSession.set(id) }],
  });
}
