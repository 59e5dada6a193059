import {
  useEffect,
  useLayoutEffect,
  useRef,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from 'react';
import { createPortal } from 'react-dom';
import { placeMenu } from '../../ui/menu-place';

export interface PopoverProps {
  id?: string;
  label: string;
  /** What it belongs to: it opens beside it and gives the focus back to it. */
  anchor: RefObject<HTMLElement | null>;
  onClose: () => void;
  children: ReactNode;
}

/** A floating box for more than a menu: Escape, Tab out or a press elsewhere closes it. */
export function Popover({ id, label, anchor, onClose, children }: PopoverProps) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = box.current;
    const from = anchor.current?.getBoundingClientRect();
    if (!element || !from) return;
    const place = placeMenu(from, element.getBoundingClientRect(), {
      width: innerWidth,
      height: innerHeight,
    });
    element.style.left = `${place.left}px`;
    element.style.top = `${place.top}px`;
  });
  useEffect(() => {
    const onPointerDown = (event: PointerEvent): void => {
      const target = event.target instanceof Node ? event.target : null;
      if (!box.current?.contains(target) && !anchor.current?.contains(target)) onClose();
    };
    document.addEventListener('pointerdown', onPointerDown, true);
    return () => document.removeEventListener('pointerdown', onPointerDown, true);
  }, [anchor, onClose]);
  useEffect(() => {
    const element = box.current;
    (element?.querySelector<HTMLElement>('input') ?? element)?.focus();
  }, []);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' && event.key !== 'Tab') return;
    event.preventDefault();
    event.stopPropagation();
    onClose();
    anchor.current?.focus();
  };
  return createPortal(
    <div
      ref={box}
      id={id}
      className="ch-popover"
      role="group"
      aria-label={label}
      data-floating
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      {children}
    </div>,
    document.body,
  );
}
