import { useEffect, useRef, useState } from 'react';
import type { Client } from '../../../shared/contract/contract';
import type { SessionId } from '../../../shared/model/ids';
import type { UndoResult } from '../../../shared/model/change';
import type { ItemView } from '../../../shared/model/session-view';
import { CannotList, OutcomeList } from '../../lib/changes/outcome-list';
import { tellResult } from '../../lib/changes/undo-flow';
import { useClient } from '../../lib/client-context';
import { pushToast } from '../../lib/toast-store';
import { windowStore } from '../../lib/window-store';
import { Button } from '../../ui/button';
import { Checkbox } from '../../ui/checkbox';
import { Dialog } from '../../ui/dialog';
import { ErrorBox } from '../../ui/error-box';
import { Spinner } from '../../ui/spinner';
import type { Attachment } from './attachment';
import { useChat, useSession } from './chat-context';
import { RESTORE_CHOICES, filesWords, startingChoice, type RestoreWhat } from './restore-words';

type UserItem = Extract<ItemView, { kind: 'user' }>;

/** What going back would do to files; it is looked at once, when the dialog opens. */
function usePreview(item: UserItem): { preview: UndoResult | null; failure: unknown } {
  const client = useClient();
  const session = useSession();
  const [state, setState] = useState<{ preview: UndoResult | null; failure: unknown }>({
    preview: null,
    failure: null,
  });
  useEffect(() => {
    let current = true;
    client.changes.previewRestore({ sessionId: session.id, messageId: item.messageId }).then(
      (preview) => current && setState({ preview, failure: null }),
      (failure: unknown) => current && setState({ preview: null, failure }),
    );
    return () => {
      current = false;
    };
  }, [client, session, item]);
  return state;
}

/** The pictures of a message, for the box; those that are not there any more are left out. */
async function imagesOf(client: Client, id: SessionId, item: UserItem): Promise<Attachment[]> {
  const { messageId, images = [] } = item;
  const all = await Promise.all(
    images.map(async (facts, index) => {
      const found = await client.session.image({ id, messageId, index }).catch(() => null);
      if (found === null) return [];
      return [{ ...facts, ...found, id: crypto.randomUUID(), name: facts.name ?? `image ${index + 1}` }];
    }),
  );
  return all.flat();
}

/** Goes back to right before a message: the files, the chat, or both. */
function useRestore(item: UserItem): (what: RestoreWhat, keepFork: boolean) => Promise<void> {
  const client = useClient();
  const { model } = useChat();
  const session = useSession();
  return async (what, keepFork) => {
    // They are in the message only, which goes.
    const images = what === 'files' ? [] : await imagesOf(client, session.id, item);
    const place = { sessionId: session.id, messageId: item.messageId };
    // Without a copy the chat goes back by itself, after the files: they are what may be refused.
    const split = what === 'both' && !keepFork;
    const byRewind = !keepFork && what !== 'files';
    const { files, chat } =
      byRewind && !split
        ? { files: null, chat: null }
        : await client.changes.restore({ ...place, what: split ? 'files' : what });
    const back = byRewind
      ? await client.session.rewind({ id: session.id, messageId: item.messageId, keepFork: false })
      : chat;
    if (back) {
      windowStore.draft.set({ text: back.text });
      model.setImages(session.id, { list: images, problems: [] });
    }
    if (back?.kept) tellKept(back.kept.title, back.kept.id);
    if (files) tellResult(client, 'Files are back to before the message', files);
  };
}

export function RestoreDialog({ item, onClose }: { item: UserItem; onClose: () => void }) {
  const restore = useRestore(item);
  const { preview, failure } = usePreview(item);
  const cancel = useRef<HTMLButtonElement>(null);
  const [chosen, setChosen] = useState<RestoreWhat | null>(null);
  const [keepFork, setKeepFork] = useState(true);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const what = chosen ?? startingChoice(preview);
  const go = async (): Promise<void> => {
    setBusy(true);
    try {
      await restore(what, keepFork);
      onClose();
    } catch (reason) {
      setError(reason);
      setBusy(false);
    }
  };
  return (
    <Dialog
      title="Restore to before this message?"
      icon="history"
      width={540}
      onClose={onClose}
      initialFocus={cancel}
      footer={
        <>
          <span className="ui-grow" />
          <Button ref={cancel} onClick={onClose}>
            Cancel
          </Button>
          <Button
            variant="primary"
            busy={busy}
            disabled={what !== 'chat' && preview === null}
            onClick={() => void go()}
          >
            Restore
          </Button>
        </>
      }
    >
      <fieldset className="ch-restore">
        <legend className="ui-sr">What goes back</legend>
        {RESTORE_CHOICES.map(({ value, label, text }) => (
          <label key={value} className="ch-restore-choice">
            <input
              type="radio"
              name="restore"
              value={value}
              checked={what === value}
              onChange={() => setChosen(value)}
            />
            <span>
              {label}
              <span className="ui-soft">{text}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {what !== 'chat' && <FilesPart preview={preview} failure={failure} />}
      {what !== 'files' && (
        <Checkbox checked={keepFork} onChange={setKeepFork}>
          Keep what leaves the chat as a session of its own
        </Checkbox>
      )}
      {error !== null && <ErrorBox error={error} />}
    </Dialog>
  );
}

function FilesPart({ preview, failure }: { preview: UndoResult | null; failure: unknown }) {
  if (failure !== null) return <ErrorBox title="What would become of files is not known" error={failure} />;
  if (!preview) {
    return (
      <p className="ui-row ui-soft">
        <Spinner /> Looking at files…
      </p>
    );
  }
  return (
    <>
      <p className="cg-note">{filesWords(preview)}</p>
      {preview.files.length > 0 && <OutcomeList files={preview.files} ahead label="Files" />}
      <CannotList cannot={preview.cannot} />
    </>
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
