import { useRef } from 'react';
import { IconButton } from '../../ui/icon-button';

/** Lets the user pick picture files. */
export function AttachButton({ onPick }: { onPick: (files: File[]) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <IconButton icon="attach" label="Attach images" onClick={() => input.current?.click()} />
      <input
        ref={input}
        className="ch-attach-input"
        type="file"
        accept="image/png,image/jpeg,image/gif,image/webp"
        multiple
        tabIndex={-1}
        aria-hidden="true"
        onChange={({ currentTarget }) => {
          onPick([...(currentTarget.files ?? [])]);
          // The same file can be picked again.
          currentTarget.value = '';
        }}
      />
    </>
  );
}
