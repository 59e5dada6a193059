import { useState } from 'react';
import { imageWords } from '../../../shared/image/inspect-image';
import { Icon } from '../../ui/icon';
import { IconButton } from '../../ui/icon-button';
import { dataUrl, type Attachment } from './attachment';
import { ImageDialog } from './image-dialog';
import type { Attachments } from './use-attachments';

interface AttachmentStripProps {
  attachments: Attachments;
  /** Whether the model that would answer takes images; null: not known. */
  sees: boolean | null;
  /** Called when a picture was taken out by its button, which is gone then. */
  onRemoved: () => void;
}

/** What goes along with the message, over its text. */
export function AttachmentStrip({ attachments, sees, onRemoved }: AttachmentStripProps) {
  const { list, problems } = attachments;
  if (list.length === 0 && problems.length === 0) return null;
  return (
    <div className="ch-attached">
      {problems.length > 0 && (
        <div className="ch-attach-problem" role="alert">
          <Icon name="warning" size={14} />
          <span className="ui-grow">{problems.join(' ')}</span>
          <IconButton small icon="close" label="Dismiss" onClick={attachments.dismissProblems} />
        </div>
      )}
      {list.length > 0 && (
        <ul className="ch-images" aria-label="Attached images">
          {list.map((image) => (
            <AttachedThumb
              key={image.id}
              image={image}
              onRemove={() => {
                attachments.remove(image.id);
                onRemoved();
              }}
            />
          ))}
        </ul>
      )}
      {list.length > 0 && sees === false && (
        <div className="ch-attach-blind" role="status">
          <Icon name="eye-closed" size={14} />
          <span>This model does not see images. It gets a line of text in the place of each.</span>
        </div>
      )}
    </div>
  );
}

function AttachedThumb({ image, onRemove }: { image: Attachment; onRemove: () => void }) {
  const [open, setOpen] = useState(false);
  const words = `${image.name}, ${imageWords(image)}`;
  return (
    <li className="ch-attached-image">
      <button
        type="button"
        className="ch-thumb"
        aria-label={`Open ${words}`}
        title={words}
        onClick={() => setOpen(true)}
      >
        <img src={dataUrl(image)} alt="" />
      </button>
      <IconButton
        small
        className="ch-thumb-remove"
        icon="close"
        label={`Remove ${image.name}`}
        onClick={onRemove}
      />
      {open && <ImageDialog image={image} source={dataUrl(image)} onClose={() => setOpen(false)} />}
    </li>
  );
}
