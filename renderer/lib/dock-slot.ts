import { createStore } from './store';

/** The place over the composer where the pending approval's card goes; null while no chat is on screen. */
export const dockSlot = createStore<HTMLElement | null>(null);

/** The place in the panel's head where the view on screen puts its buttons; null while the panel is not there. */
export const panelSlot = createStore<HTMLElement | null>(null);
