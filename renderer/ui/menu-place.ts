/** Viewport pixels. A point is an anchor without extent. */
export interface MenuAnchor {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

interface Size {
  width: number;
  height: number;
}

const MARGIN_PX = 8;
const GAP_PX = 2;

/** Below the anchor, left edges aligned; above it or shifted where the window ends. */
export function placeMenu(anchor: MenuAnchor, menu: Size, view: Size): { left: number; top: number } {
  const gap = anchor.top === anchor.bottom ? 0 : GAP_PX;
  const below = anchor.bottom + gap;
  const above = anchor.top - gap - menu.height;
  const fitsBelow = below + menu.height <= view.height - MARGIN_PX;
  const top = fitsBelow || above < MARGIN_PX ? below : above;
  const clamp = (value: number, size: number, limit: number): number =>
    Math.max(MARGIN_PX, Math.min(value, limit - size - MARGIN_PX));
  return { left: clamp(anchor.left, menu.width, view.width), top: clamp(top, menu.height, view.height) };
}

/**
 * Which item a key moves to, or null when the key means nothing to a menu. Letters go to the next item that starts with
 * them.
 */
export function nextIndex(key: string, current: number, names: readonly string[]): number | null {
  const count = names.length;
  if (count === 0) return null;
  if (key === 'ArrowDown') return (current + 1) % count;
  if (key === 'ArrowUp') return (current <= 0 ? count : current) - 1;
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  if (key.length !== 1 || key === ' ') return null;
  const letter = key.toLowerCase();
  for (let step = 1; step <= count; step += 1) {
    const index = (current + step + count) % count;
    if (names[index]?.trim().toLowerCase().startsWith(letter)) return index;
  }
  return null;
}
