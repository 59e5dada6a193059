import { createStore } from './store';

/** The place over the composer where the pending approval's card goes; null while no chat is on screen. */
export const dockSlot = createStore<HTMLElement | null>(null);
