import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Rectangle } from 'electron';
import { z } from 'zod';

const Bounds = z.object({ x: z.int(), y: z.int(), width: z.int().min(1), height: z.int().min(1) });
const WindowState = z.object({ bounds: Bounds, maximised: z.boolean() });
export type WindowState = z.infer<typeof WindowState>;

export const MIN_SIZE = { width: 720, height: 480 } as const;
const USUAL_SIZE = { width: 1440, height: 900 } as const;
/** So much of the window has to be on a display, in its pixels, that its title bar can be taken hold of. */
const MIN_VISIBLE = { width: 120, height: 60 } as const;

const overlap = (startA: number, lengthA: number, startB: number, lengthB: number): number =>
  Math.min(startA + lengthA, startB + lengthB) - Math.max(startA, startB);

function isVisibleOn(bounds: Rectangle, area: Rectangle): boolean {
  const topVisible = bounds.y >= area.y - 1 && bounds.y <= area.y + area.height - MIN_VISIBLE.height;
  return topVisible && overlap(bounds.x, bounds.width, area.x, area.width) >= MIN_VISIBLE.width;
}

const clamp = (value: number, min: number, max: number): number => Math.max(min, Math.min(value, max));

/**
 * Where to open the window: as it was left, when that is on a display that is there now, else the usual size in the middle
 * of the first one.
 *
 * @param displays work areas, the primary display's first
 */
export function readWindowState(
  file: string,
  displays: readonly Rectangle[],
): { bounds: Partial<Rectangle> & { width: number; height: number }; maximised: boolean } {
  const saved = parseState(file);
  const area = saved && displays.find((display) => isVisibleOn(saved.bounds, display));
  if (!saved || !area) {
    const room = displays[0] ?? { x: 0, y: 0, ...USUAL_SIZE };
    const width = Math.min(USUAL_SIZE.width, room.width);
    return {
      bounds: { width, height: Math.min(USUAL_SIZE.height, room.height) },
      maximised: saved?.maximised ?? false,
    };
  }
  const { x, y } = saved.bounds;
  const width = clamp(saved.bounds.width, MIN_SIZE.width, Math.max(area.width, MIN_SIZE.width));
  const height = clamp(saved.bounds.height, MIN_SIZE.height, Math.max(area.height, MIN_SIZE.height));
  return { bounds: { x, y, width, height }, maximised: saved.maximised };
}

function parseState(file: string): WindowState | null {
  try {
    return WindowState.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    // Nothing saved yet, or not by us: the usual place will do.
    return null;
  }
}

/** Written in one step while the window closes, so without waiting. @throws what node:fs throws */
export function saveWindowState(file: string, state: WindowState): void {
  const draft = `${file}.tmp`;
  writeFileSync(draft, `${JSON.stringify(state)}\n`, { mode: 0o600 });
  renameSync(draft, file);
}
