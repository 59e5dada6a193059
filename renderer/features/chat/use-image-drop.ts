import { useEffect, useRef, useState, type DragEvent } from 'react';

export interface ImageDrop {
  /** Files are being dragged over the chat. */
  readonly over: boolean;
  readonly handlers: {
    onDragEnter(event: DragEvent): void;
    onDragOver(event: DragEvent): void;
    onDragLeave(event: DragEvent): void;
    onDrop(event: DragEvent): void;
  };
}

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes('Files');

/** Takes files that are dropped; anything else that is dragged is left alone. */
export function useImageDrop(onFiles: (files: File[]) => void): ImageDrop {
  const [over, setOver] = useState(false);
  /** Enter and leave come for every element on the way. */
  const depth = useRef(0);
  const leave = (): void => {
    depth.current = 0;
    setOver(false);
  };
  // A file that is dropped beside the chat would take the window's place.
  useEffect(() => {
    const guard = (event: globalThis.DragEvent): void => {
      if (event.defaultPrevented || event.dataTransfer?.types.includes('Files') !== true) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'none';
    };
    window.addEventListener('dragover', guard);
    window.addEventListener('drop', guard);
    return () => {
      window.removeEventListener('dragover', guard);
      window.removeEventListener('drop', guard);
    };
  }, []);
  // A drag that ends outside of the window tells nobody.
  useEffect(() => {
    window.addEventListener('dragend', leave);
    window.addEventListener('drop', leave);
    return () => {
      window.removeEventListener('dragend', leave);
      window.removeEventListener('drop', leave);
    };
  }, []);
  return {
    over,
    handlers: {
      onDragEnter: (event) => {
        if (!hasFiles(event)) return;
        depth.current += 1;
        setOver(true);
      },
      onDragOver: (event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = 'copy';
      },
      onDragLeave: (event) => {
        if (!hasFiles(event)) return;
        depth.current -= 1;
        if (depth.current <= 0) leave();
      },
      onDrop: (event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        leave();
        onFiles([...event.dataTransfer.files]);
      },
    },
  };
}
