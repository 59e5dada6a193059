import { createStore } from '../../lib/store';

/** The list of sessions over the tabs; the slash command opens it too. */
export const sessionMenuStore = createStore<{ open: boolean }>({ open: false });
