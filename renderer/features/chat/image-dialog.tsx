import type { ImageFacts } from '../../../shared/image/image-facts';
import { imageWords } from '../../../shared/image/inspect-image';
import { formatBytes } from '../../lib/format-bytes';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';

interface ImageDialogProps {
  image: ImageFacts;
  /** Data URL. */
  source: string;
  onClose: () => void;
}

/** A picture as large as the window lets it be. */
export function ImageDialog({ image, source, onClose }: ImageDialogProps) {
  const name = imageName(image);
  return (
    <Dialog
      className="ch-image-dialog"
      title={name}
      subtitle={`${imageWords(image)}, ${formatBytes(image.bytes)}`}
      icon="file-media"
      width={Math.max(360, Math.min(image.width + 40, 1200))}
      onClose={onClose}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <img className="ch-image-large" src={source} alt={name} />
    </Dialog>
  );
}

export const imageName = ({ name }: ImageFacts): string => name ?? 'Image';
