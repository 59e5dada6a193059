import type { KeyboardEvent } from 'react';

/** The stop that an arrow, Home or End key moves to in a row of `count`; null for other keys. Wraps around. */
export function roveIndex(key: string, current: number, count: number): number | null {
  if (count === 0) return null;
  if (key === 'ArrowRight' || key === 'ArrowDown') return (current + 1) % count;
  if (key === 'ArrowLeft' || key === 'ArrowUp') return (current + count - 1) % count;
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  return null;
}

/** Moves the focus among the buttons of `event.currentTarget` and tells which one has it now. */
export function roveFocus(event: KeyboardEvent<HTMLElement>, onMove: (index: number) => void): void {
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>(':scope > button')];
  const current = stops.findIndex((stop) => stop === document.activeElement);
  const next = roveIndex(event.key, current, stops.length);
  if (next === null || current < 0) return;
  event.preventDefault();
  event.stopPropagation();
  stops[next]?.focus();
  onMove(next);
}
