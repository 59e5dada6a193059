import { useState } from 'react';
import type { ImageFacts } from '../../../shared/image/image-facts';
import { imageWords } from '../../../shared/image/inspect-image';
import type { MessageId } from '../../../shared/model/ids';
import { Icon } from '../../ui/icon';
import { useSession } from './chat-context';
import { ImageDialog, imageName } from './image-dialog';
import { useStoredImage } from './stored-images';

/** A picture and where it lies. */
export interface PlacedImage extends ImageFacts {
  messageId: MessageId;
  index: number;
}

/** The pictures of a message in its order. */
export const placedImages = ({
  messageId,
  images = [],
}: {
  messageId: MessageId;
  images?: ImageFacts[] | undefined;
}): PlacedImage[] => images.map((image, index) => ({ ...image, messageId, index }));

/** Pictures of a message or a call, small; each opens larger. */
export function MessageImages({ images }: { images: readonly PlacedImage[] }) {
  if (images.length === 0) return null;
  return (
    <div className="ch-images">
      {images.map((image) => (
        <StoredThumb key={`${image.messageId} ${image.index}`} image={image} />
      ))}
    </div>
  );
}

function StoredThumb({ image }: { image: PlacedImage }) {
  const session = useSession();
  const { source, gone } = useStoredImage(session.id, image.messageId, image.index);
  const [open, setOpen] = useState(false);
  const words = `${imageName(image)}, ${imageWords(image)}`;
  if (gone) {
    return (
      <span className="ch-thumb ch-thumb-gone" role="img" aria-label={`${words}: not there any more`}>
        <Icon name="file-media" />
      </span>
    );
  }
  return (
    <>
      <button
        type="button"
        className="ch-thumb"
        aria-label={`Open ${words}`}
        title={words}
        disabled={source === null}
        onClick={() => setOpen(true)}
      >
        {source !== null && <img src={source} alt="" />}
      </button>
      {open && source !== null && (
        <ImageDialog image={image} source={source} onClose={() => setOpen(false)} />
      )}
    </>
  );
}
