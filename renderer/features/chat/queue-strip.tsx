import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { toErrorShape } from '../../../shared/error';
import type { QueuedId, QueuedMessage } from '../../../shared/model/queued-message';
import { useClient } from '../../lib/client-context';
import { formatCount } from '../../lib/format';
import { toastError } from '../../lib/toast-store';
import { windowStore } from '../../lib/window-store';
import { Button } from '../../ui/button';
import { Icon } from '../../ui/icon';
import { IconButton } from '../../ui/icon-button';
import { useSession } from './chat-context';
import { existingMentions } from './send-message';
import { useQueue } from './use-queue';

/** A message that is being changed, with what it said before. */
interface Editing {
  id: QueuedId;
  before: string;
  text: string;
  /** It has pictures: then it may be without words. */
  hasImages: boolean;
}

const editingOf = ({ id, text, images }: QueuedMessage): Editing => ({
  ...{ id, before: text, text },
  hasImages: images !== undefined,
});

/** What is sent when the running turn has ended, in order: each can be changed and taken out until then. */
export function QueueStrip({ running }: { running: boolean }) {
  const messages = useQueue();
  const [editing, setEditing] = useState<Editing | null>(null);
  const frame = useRef<HTMLDivElement>(null);
  useKeptEdit(messages, editing, () => setEditing(null));
  const actions = useQueueActions(() => focusBox(frame.current));
  if (messages.length === 0) return null;
  return (
    <div ref={frame} className="ch-queue" role="group" aria-label="Queued messages">
      <QueueHead count={messages.length} running={running} onSend={actions.sendNext} />
      <ol className="ch-queue-list">
        {messages.map((message) => (
          <li key={message.id} className="ch-queue-item">
            {editing?.id === message.id ? (
              <QueueEditor
                text={editing.text}
                onText={(text) => setEditing({ ...editing, text })}
                onCancel={() => setEditing(null)}
                onSave={() => {
                  setEditing(null);
                  actions.save(editing);
                }}
              />
            ) : (
              <QueueRow
                message={message}
                onEdit={() => setEditing(editingOf(message))}
                onRemove={() => actions.remove(message.id)}
              />
            )}
          </li>
        ))}
      </ol>
    </div>
  );
}

/** A message that was sent while it was being changed: the change goes into the message box instead of being lost. */
function useKeptEdit(messages: readonly QueuedMessage[], editing: Editing | null, onGone: () => void): void {
  useEffect(() => {
    if (!editing || messages.some(({ id }) => id === editing.id)) return;
    if (editing.text !== editing.before) windowStore.draft.set({ text: editing.text });
    onGone();
  }, [messages, editing, onGone]);
}

function focusBox(inside: HTMLElement | null): void {
  inside?.closest('.ch-dock')?.querySelector<HTMLElement>('.ch-input')?.focus();
}

function useQueueActions(toBox: () => void) {
  const client = useClient();
  const { id: sessionId } = useSession();
  const save = async ({ id, before, text, hasImages }: Editing): Promise<void> => {
    const changed = text.trim();
    if (changed === before) return;
    if (changed === '' && !hasImages) return void (await client.turn.unqueue({ sessionId, id }));
    const mentions = await existingMentions(client, changed);
    await client.turn.queue({ sessionId, id, text: changed, mentions });
  };
  const keep = (editing: Editing, error: unknown): void => {
    windowStore.draft.set({ text: editing.text });
    const sent = toErrorShape(error).code === 'not_found';
    toastError(error, sent ? 'It was sent before; your change is in the message box' : undefined);
  };
  return {
    save: (editing: Editing): void => {
      toBox();
      save(editing).catch((error: unknown) => keep(editing, error));
    },
    remove: (id: QueuedId): void => {
      toBox();
      client.turn.unqueue({ sessionId, id }).catch(toastError);
    },
    sendNext: (): void => {
      toBox();
      client.turn.sendQueued({ sessionId }).catch(toastError);
    },
  };
}

function QueueHead({ count, running, onSend }: { count: number; running: boolean; onSend: () => void }) {
  return (
    <div className="ch-queue-head">
      <Icon name="list-ordered" size={14} />
      <span role="status">{`${count} queued`}</span>
      {running ? (
        <span className="ui-muted ui-clip">sent when this turn ends</span>
      ) : (
        <span className="ch-queue-held">
          <span className="ui-muted ui-clip">held since the turn did not end well</span>
          <Button size="small" onClick={onSend}>
            Send next
          </Button>
        </span>
      )}
    </div>
  );
}

function QueueRow({
  message,
  onEdit,
  onRemove,
}: {
  message: QueuedMessage;
  onEdit: () => void;
  onRemove: () => void;
}) {
  return (
    <>
      <span className="ch-queue-text ui-clip" title={message.text}>
        {message.text}
      </span>
      {message.images && (
        <span className="ch-queue-images">
          <Icon name="file-media" size={14} />
          {formatCount(message.images.length, 'image')}
        </span>
      )}
      <IconButton small icon="edit" label="Change queued message" onClick={onEdit} />
      <IconButton small icon="close" label="Take out of the queue" onClick={onRemove} />
    </>
  );
}

interface QueueEditorProps {
  text: string;
  onText: (text: string) => void;
  onSave: () => void;
  onCancel: () => void;
}

function QueueEditor({ text, onText, onSave, onCancel }: QueueEditorProps) {
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    box.current?.focus();
    box.current?.select();
  }, []);
  const onKeyDown = (event: KeyboardEvent): void => {
    const save = event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing;
    if (!save && event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    if (save) onSave();
    else onCancel();
  };
  return (
    <>
      <textarea
        ref={box}
        className="ch-queue-editor"
        rows={1}
        aria-label="Queued message"
        value={text}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <IconButton small icon="check" label="Keep the change" keyHint="Enter" onClick={onSave} />
      <IconButton small icon="discard" label="Leave it as it was" keyHint="Esc" onClick={onCancel} />
    </>
  );
}
