import { useState } from 'react';
import type { FileContent } from '../../../shared/contract/files';
import { formatBytes } from '../../lib/format-bytes';
import { Segmented } from '../../ui/segmented';

type Image = Extract<FileContent, { kind: 'image' }>;

/** A picture, fitted into the pane or in its own size. */
export function ImageView({ image }: { image: Image }) {
  const [fit, setFit] = useState<'fit' | 'actual'>('fit');
  const [size, setSize] = useState<{ width: number; height: number } | null>(null);
  const [broken, setBroken] = useState(false);
  const facts = [size && `${size.width} × ${size.height} px`, formatBytes(image.sizeBytes), image.mime];
  return (
    <div className="editor-body-fill editor-image">
      <div className="editor-image-box" data-fit={fit}>
        {broken ? (
          <p className="ui-soft">This image is damaged, or this window can’t draw its kind.</p>
        ) : (
          <img
            src={`data:${image.mime};base64,${image.base64}`}
            alt={image.path}
            onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) =>
              setSize({ width, height })
            }
            onError={() => setBroken(true)}
          />
        )}
      </div>
      <div className="editor-image-foot">
        <span className="ui-clip">{facts.filter(Boolean).join(' · ')}</span>
        <Segmented
          label="Size"
          choices={[
            { value: 'fit', label: 'Fit' },
            { value: 'actual', label: 'Actual size' },
          ]}
          value={fit}
          onChange={setFit}
        />
      </div>
    </div>
  );
}
