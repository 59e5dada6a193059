import { z } from 'zod';

const PaneState = z.object({
  visible: z.boolean(),
  /** Pixels the user chose; null follows the window's width. */
  size: z.number().nullable(),
});

export const SideView = z.enum(['explorer', 'sessions']);
export type SideView = z.infer<typeof SideView>;

/** What the window remembers of its panes. */
export const Layout = z.object({ side: PaneState, panel: PaneState, chat: PaneState, view: SideView });
export type Layout = z.infer<typeof Layout>;
export type PaneName = 'side' | 'panel' | 'chat';

export const DEFAULT_LAYOUT: Layout = {
  side: { visible: true, size: null },
  panel: { visible: true, size: null },
  chat: { visible: true, size: null },
  view: 'explorer',
};

/** Which panes lie over the editor where the window is too narrow for columns; not remembered. */
export interface Drawers {
  side: boolean;
  chat: boolean;
}

export interface Viewport {
  width: number;
  height: number;
}

export type PanePlace = 'column' | 'drawer' | 'hidden';
export interface Arranged {
  place: PanePlace;
  size: number;
}

/** Where each pane stands and how large it is, in pixels. */
export interface Arrangement {
  side: Arranged;
  panel: Arranged;
  chat: Arranged;
}

/** Smallest and largest sizes in pixels. */
export const LIMITS: Record<PaneName, { min: number; max: number }> = {
  side: { min: 180, max: 480 },
  panel: { min: 120, max: 2000 },
  chat: { min: 320, max: 720 },
};
const EDITOR_MIN_WIDTH = 400;
const EDITOR_MIN_HEIGHT = 160;
/** Title, tabs and status. */
const BARS_HEIGHT = 95;

interface Tier {
  from: number;
  side: number;
  chat: number;
  panel: number;
  sidePlace: 'column' | 'drawer';
  chatPlace: 'column' | 'drawer';
}

const TIERS: readonly Tier[] = [
  { from: 1920, side: 280, chat: 520, panel: 280, sidePlace: 'column', chatPlace: 'column' },
  { from: 1440, side: 240, chat: 420, panel: 226, sidePlace: 'column', chatPlace: 'column' },
  { from: 1280, side: 216, chat: 384, panel: 226, sidePlace: 'column', chatPlace: 'column' },
  { from: 1024, side: 260, chat: 368, panel: 172, sidePlace: 'drawer', chatPlace: 'column' },
  { from: 0, side: 260, chat: 420, panel: 172, sidePlace: 'drawer', chatPlace: 'drawer' },
];

export const tierOf = (width: number): Tier =>
  TIERS.find((tier) => width >= tier.from) ?? (TIERS.at(-1) as Tier);

const clamp = (value: number, min: number, max: number): number => Math.max(min, Math.min(value, max));

function placeOf(kind: 'column' | 'drawer', visible: boolean, open: boolean): PanePlace {
  if (kind === 'drawer') return open ? 'drawer' : 'hidden';
  return visible ? 'column' : 'hidden';
}

/** The most a column may take so that the editor keeps its width beside the other one. */
function fitColumns(side: Arranged, chat: Arranged, width: number): void {
  const taken = (pane: Arranged): number => (pane.place === 'column' ? pane.size : 0);
  const over = taken(side) + taken(chat) + EDITOR_MIN_WIDTH - width;
  if (over <= 0) return;
  const fromChat = Math.min(over, Math.max(0, taken(chat) - LIMITS.chat.min));
  chat.size -= fromChat;
  side.size -= Math.min(over - fromChat, Math.max(0, taken(side) - LIMITS.side.min));
}

/** Puts the panes into a window: the user's sizes win while the editor keeps 400 × 160 pixels. */
export function arrange(layout: Layout, drawers: Drawers, view: Viewport): Arrangement {
  const tier = tierOf(view.width);
  const sized = (name: PaneName): number =>
    clamp(layout[name].size ?? tier[name], LIMITS[name].min, LIMITS[name].max);
  const side = { place: placeOf(tier.sidePlace, layout.side.visible, drawers.side), size: sized('side') };
  const chat = { place: placeOf(tier.chatPlace, layout.chat.visible, drawers.chat), size: sized('chat') };
  if (side.place === 'drawer') side.size = Math.min(side.size, view.width);
  if (chat.place === 'drawer') chat.size = Math.min(chat.size, 420, view.width);
  fitColumns(side, chat, view.width);
  const panelMax = Math.max(LIMITS.panel.min, view.height - BARS_HEIGHT - EDITOR_MIN_HEIGHT);
  const panel: Arranged = {
    place: layout.panel.visible ? 'column' : 'hidden',
    size: clamp(sized('panel'), LIMITS.panel.min, panelMax),
  };
  return { side, panel, chat };
}

/** The largest size that a sash may give `pane` in this window. */
export function maxSize(pane: PaneName, arrangement: Arrangement, view: Viewport): number {
  if (pane === 'panel') return Math.max(LIMITS.panel.min, view.height - BARS_HEIGHT - EDITOR_MIN_HEIGHT);
  if (arrangement[pane].place === 'drawer') return Math.min(LIMITS[pane].max, view.width);
  const other = arrangement[pane === 'side' ? 'chat' : 'side'];
  const left = view.width - EDITOR_MIN_WIDTH - (other.place === 'column' ? other.size : 0);
  return clamp(left, LIMITS[pane].min, LIMITS[pane].max);
}
