import { useEffect, useLayoutEffect, useRef, type KeyboardEvent } from 'react';
import { createPortal } from 'react-dom';
import { classNames } from './class-names';
import { Icon } from './icon';
import { nextIndex, placeMenu, type MenuAnchor } from './menu-place';

export interface MenuItem {
  id: string;
  label: string;
  icon?: string;
  /** The shortcut as shown. */
  keyHint?: string;
  disabled?: boolean;
  danger?: boolean;
  /** Makes it one of a choice: drawn with a check mark when true. */
  checked?: boolean;
  /** A second, dim text at the right. */
  detail?: string;
  onSelect: () => void;
}

export type MenuEntry = MenuItem | { id: string; separator: true } | { id: string; heading: string };

export interface MenuProps {
  label: string;
  entries: readonly MenuEntry[];
  /** A point, or the rectangle of the button that opened it. */
  anchor: MenuAnchor;
  onClose: () => void;
  className?: string;
}

function useDismiss(onClose: () => void, box: { current: HTMLElement | null }): void {
  useEffect(() => {
    const onPointerDown = (event: PointerEvent): void => {
      if (event.target instanceof Node && !box.current?.contains(event.target)) onClose();
    };
    const onBlur = (): void => onClose();
    document.addEventListener('pointerdown', onPointerDown, true);
    window.addEventListener('blur', onBlur);
    window.addEventListener('resize', onBlur);
    return () => {
      document.removeEventListener('pointerdown', onPointerDown, true);
      window.removeEventListener('blur', onBlur);
      window.removeEventListener('resize', onBlur);
    };
  }, [onClose, box]);
}

function usePlacedAndFocused(box: { current: HTMLElement | null }, anchor: MenuAnchor): void {
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const place = placeMenu(anchor, element.getBoundingClientRect(), {
      width: innerWidth,
      height: innerHeight,
    });
    element.style.left = `${place.left}px`;
    element.style.top = `${place.top}px`;
  }, [box, anchor]);
  useLayoutEffect(() => {
    const before = document.activeElement;
    const items = box.current ? itemsOf(box.current) : [];
    (items.find((item) => item.getAttribute('aria-checked') === 'true') ?? items[0])?.focus();
    const element = box.current;
    return () => {
      const lost = document.activeElement === document.body || element?.contains(document.activeElement);
      if (lost && before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, [box]);
}

const itemsOf = (menu: HTMLElement): HTMLElement[] => [
  ...menu.querySelectorAll<HTMLElement>('.ui-menu-item:not([aria-disabled="true"])'),
];

/** Actions in a floating box: arrows, Home, End and letters move, Enter picks, Escape or a click elsewhere closes. */
export function Menu({ label, entries, anchor, onClose, className }: MenuProps) {
  const box = useRef<HTMLDivElement>(null);
  useDismiss(onClose, box);
  usePlacedAndFocused(box, anchor);
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    event.stopPropagation();
    if (event.key === 'Escape' || event.key === 'Tab') {
      event.preventDefault();
      onClose();
      return;
    }
    const items = itemsOf(event.currentTarget);
    const current = items.findIndex((item) => item === document.activeElement);
    const names = items.map((item) => item.textContent ?? '');
    const next = nextIndex(event.key, current, names);
    if (next === null) return;
    event.preventDefault();
    items[next]?.focus();
  };
  const overDialog = document.querySelector('[aria-modal="true"]') !== null;
  return createPortal(
    <div
      ref={box}
      role="menu"
      aria-label={label}
      tabIndex={-1}
      data-floating
      className={classNames('ui-menu', overDialog && 'ui-menu-over-dialog', className)}
      onKeyDown={onKeyDown}
      onContextMenu={(event) => event.preventDefault()}
    >
      {entries.map((entry) => (
        <MenuRow key={entry.id} entry={entry} onClose={onClose} />
      ))}
    </div>,
    document.body,
  );
}

/** A menu at the pointer. */
export function ContextMenu({ x, y, ...rest }: Omit<MenuProps, 'anchor'> & { x: number; y: number }) {
  return <Menu {...rest} anchor={{ left: x, top: y, right: x, bottom: y }} />;
}

function MenuRow({ entry, onClose }: { entry: MenuEntry; onClose: () => void }) {
  if ('separator' in entry) return <div className="ui-menu-line" role="separator" />;
  if ('heading' in entry) return <div className="ui-menu-title">{entry.heading}</div>;
  const choice = entry.checked === undefined ? { role: 'menuitem' } : choiceRole(entry.checked);
  const select = (): void => {
    if (entry.disabled === true) return;
    onClose();
    entry.onSelect();
  };
  return (
    <button
      {...choice}
      type="button"
      tabIndex={-1}
      aria-disabled={entry.disabled || undefined}
      className={classNames('ui-menu-item', entry.danger && 'ui-menu-danger')}
      onClick={select}
    >
      <MenuSign entry={entry} />
      <span className="ui-clip">{entry.label}</span>
      {(entry.detail ?? entry.keyHint) !== undefined && (
        <span className="ui-key ui-menu-end">{entry.detail ?? entry.keyHint}</span>
      )}
    </button>
  );
}

const choiceRole = (checked: boolean) => ({ role: 'menuitemradio', 'aria-checked': checked });

function MenuSign({ entry }: { entry: MenuItem }) {
  if (entry.checked === true) return <Icon name="check" />;
  if (entry.icon !== undefined) return <Icon name={entry.icon} />;
  return entry.checked === false ? <span className="ui-menu-gap" /> : null;
}
