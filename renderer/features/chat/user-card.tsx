import { memo, useEffect, useRef, useState, type RefObject } from 'react';
import type { ItemView } from '../../../shared/model/session-view';
import { CopyButton } from '../../lib/text/copy-button';
import { classNames } from '../../ui/class-names';
import { BranchActions } from './branch-actions';
import { useChat } from './chat-context';
import { EditMessage } from './edit-message';
import { splitMentions } from './mentions';
import { MessageImages, placedImages } from './message-images';

type UserItem = Extract<ItemView, { kind: 'user' }>;

/** What the user said: a card of two lines that stays on top of its turn and opens to the whole text. */
export const UserCard = memo(function UserCard({ item }: { item: UserItem }) {
  const [editing, setEditing] = useState(false);
  if (editing) {
    return (
      <div className="ch-ask">
        <EditMessage item={item} onClose={() => setEditing(false)} />
      </div>
    );
  }
  return <SaidCard item={item} onEdit={() => setEditing(true)} />;
});

function SaidCard({ item, onEdit }: { item: UserItem; onEdit: () => void }) {
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const clipped = useClipped(box);
  return (
    <div className={classNames('ch-ask', item.interjection && 'ch-ask-between')}>
      <div className="ch-ask-box">
        {item.interjection && <div className="ch-ask-note">While it ran, you said</div>}
        <div ref={box} className={classNames('ch-ask-text', open && 'ch-ask-open')}>
          <MentionText text={item.text} />
        </div>
        <MessageImages images={placedImages(item)} />
        <div className="ch-ask-actions">
          {(clipped || open) && (
            <button type="button" className="ch-link" aria-expanded={open} onClick={() => setOpen(!open)}>
              {open ? 'Show less' : 'Show all'}
            </button>
          )}
          <span className="ch-ask-tools">
            <span className="ch-ask-branch">
              <BranchActions item={item} onEdit={onEdit} />
            </span>
            {item.text !== '' && <CopyButton text={item.text} label="Copy message" />}
          </span>
        </div>
      </div>
    </div>
  );
}

/** True while the box shows less than it holds. */
function useClipped(box: RefObject<HTMLElement | null>): boolean {
  const [clipped, setClipped] = useState(false);
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => setClipped(element.scrollHeight > element.clientHeight + 1));
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  return clipped;
}

function MentionText({ text }: { text: string }) {
  const { onOpenFile } = useChat();
  return (
    <>
      {splitMentions(text).map((part, i) => {
        const { path } = part;
        if (path === null) return part.text;
        return (
          <button
            key={i}
            type="button"
            className="ch-mention"
            title={`Open ${path} in the editor`}
            onClick={() => onOpenFile(path)}
          >
            {part.text}
          </button>
        );
      })}
    </>
  );
}
