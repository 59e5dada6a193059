import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import type { ItemView } from '../../../shared/model/session-view';
import { useClient } from '../../lib/client-context';
import { windowStore } from '../../lib/window-store';
import { Button } from '../../ui/button';
import { ErrorBox } from '../../ui/error-box';
import { useSession } from './chat-context';
import { splitMentions } from './mentions';
import { MessageImages, placedImages } from './message-images';
import { tellKept } from './restore-dialog';

type UserItem = Extract<ItemView, { kind: 'user' }>;

/** Says something else in the place of an earlier message. What was there before is kept as a session of its own. */
export function EditMessage({ item, onClose }: { item: UserItem; onClose: () => void }) {
  const client = useClient();
  const session = useSession();
  const box = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(item.text);
  const [busy, setBusy] = useState<'rewind' | 'fork' | null>(null);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    const element = box.current;
    element?.focus();
    element?.setSelectionRange(element.value.length, element.value.length);
  }, []);
  const run = async (how: 'rewind' | 'fork'): Promise<void> => {
    setBusy(how);
    const mentions = splitMentions(text).flatMap(({ path }) => (path === null ? [] : [path]));
    try {
      const { id } = session;
      const done = await client.session.edit({ id, messageId: item.messageId, text, how, mentions });
      onClose();
      if (done.sessionId !== id) windowStore.activeSession.set(done.sessionId);
      if (done.kept) tellKept(done.kept.title, done.kept.id);
    } catch (reason) {
      setError(reason);
      setBusy(null);
    }
  };
  const usable = text.trim() !== '' && busy === null;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    const sends = event.key === 'Enter' && !event.shiftKey && !event.altKey;
    if (event.key === 'Escape') onClose();
    else if (sends && usable) void run('rewind');
    else if (!sends) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className="ch-edit-ask">
      <textarea
        ref={box}
        className="ch-edit-ask-text"
        aria-label="Edited message"
        rows={Math.min(12, text.split('\n').length + 1)}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <MessageImages images={placedImages(item)} />
      {error !== null && <ErrorBox error={error} />}
      <div className="ch-edit-ask-foot">
        <span className="ui-grow ui-muted">
          What came after is kept as a session. Files stay as they are.
        </span>
        <Button size="small" onClick={onClose}>
          Cancel
        </Button>
        <Button size="small" disabled={!usable} busy={busy === 'fork'} onClick={() => void run('fork')}>
          Run in a fork
        </Button>
        <Button
          size="small"
          variant="primary"
          disabled={!usable}
          busy={busy === 'rewind'}
          onClick={() => void run('rewind')}
        >
          Run again
        </Button>
      </div>
    </div>
  );
}
