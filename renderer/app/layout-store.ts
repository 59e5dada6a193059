import { createStore, type ReadableStore } from '../lib/store';
import {
  arrange,
  DEFAULT_LAYOUT,
  tierOf,
  type Arrangement,
  type Drawers,
  type Layout,
  type PaneName,
  type SideView,
  type Viewport,
} from './layout';

export const layoutStore = createStore<Layout>(DEFAULT_LAYOUT);
/** In a narrow window the chat lies open over the editor until it is put away. */
const drawerStore = createStore<Drawers>({ side: false, chat: true });
export const viewportStore = createStore<Viewport>({ width: 1440, height: 900 });
const arrangementStore = createStore<Arrangement>(
  arrange(layoutStore.get(), drawerStore.get(), viewportStore.get()),
);
/** Where the panes stand now. */
export const arrangement: ReadableStore<Arrangement> = arrangementStore;

function rearrange(): void {
  arrangementStore.set(arrange(layoutStore.get(), drawerStore.get(), viewportStore.get()));
}
layoutStore.subscribe(rearrange);
drawerStore.subscribe(rearrange);
viewportStore.subscribe(rearrange);

/** Follows the window's size until the returned function is called. */
export function followViewport(): () => void {
  const measure = (): void => viewportStore.set({ width: window.innerWidth, height: window.innerHeight });
  measure();
  window.addEventListener('resize', measure);
  return () => window.removeEventListener('resize', measure);
}

const isDrawer = (pane: PaneName): pane is 'side' | 'chat' => {
  const tier = tierOf(viewportStore.get().width);
  return (pane === 'side' && tier.sidePlace === 'drawer') || (pane === 'chat' && tier.chatPlace === 'drawer');
};

export const isPaneShown = (pane: PaneName): boolean => arrangementStore.get()[pane].place !== 'hidden';

export function showPane(pane: PaneName, visible: boolean): void {
  if (isDrawer(pane)) {
    drawerStore.update((drawers) => ({ ...drawers, [pane]: visible }));
    return;
  }
  layoutStore.update((layout) => ({ ...layout, [pane]: { ...layout[pane], visible } }));
}

export const togglePane = (pane: PaneName): void => showPane(pane, !isPaneShown(pane));

/** @param size pixels; null follows the window's width again */
export function resizePane(pane: PaneName, size: number | null): void {
  layoutStore.update((layout) => ({ ...layout, [pane]: { ...layout[pane], size } }));
}

export function showView(view: SideView): void {
  if (layoutStore.get().view !== view) layoutStore.update((layout) => ({ ...layout, view }));
  if (!isPaneShown('side')) showPane('side', true);
}

/** Puts away what lies over the editor; true when something did. */
export function closeDrawers(): boolean {
  const { side, chat } = arrangementStore.get();
  if (side.place !== 'drawer' && chat.place !== 'drawer') return false;
  drawerStore.set({ side: false, chat: false });
  return true;
}

/** After a file was opened from a drawer the file is what counts. */
export function closeSideDrawer(): void {
  if (arrangementStore.get().side.place === 'drawer') showPane('side', false);
}
