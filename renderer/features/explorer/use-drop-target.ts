import { useEffect, useRef, useState, type DragEvent } from 'react';
import type { Explorer } from './explorer-store';

/** Only our own rows can be dropped here: files of other programs stay where they are. */
export const DRAG_TYPE = 'application/x-lathe-path';

/** A closed folder opens when something is held over it this long. */
const OPEN_AFTER_MS = 700;

export interface DropTarget {
  /** Where it would go now; null while nothing is dragged over the tree. */
  folder: string | null;
  over: (event: DragEvent, folder: string) => void;
  drop: (event: DragEvent, folder: string) => void;
  leave: (event: DragEvent) => void;
}

export function useDropTarget(explorer: Explorer): DropTarget {
  const [folder, setFolder] = useState<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const hover = (next: string | null): void => {
    if (next === folder) return;
    clearTimeout(timer.current);
    setFolder(next);
    if (next) timer.current = setTimeout(() => explorer.expand(next, true), OPEN_AFTER_MS);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  return {
    folder,
    over: (event, next) => {
      if (!event.dataTransfer.types.includes(DRAG_TYPE)) return;
      event.preventDefault();
      event.stopPropagation();
      event.dataTransfer.dropEffect = 'move';
      hover(next);
    },
    drop: (event, next) => {
      const path = event.dataTransfer.getData(DRAG_TYPE);
      hover(null);
      if (path === '') return;
      event.preventDefault();
      event.stopPropagation();
      void explorer.putInto(path, next);
    },
    leave: (event) => {
      if (!(event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget)))
        hover(null);
    },
  };
}
