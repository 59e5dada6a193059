import { createStore } from '../../lib/store';

/** Error rows and slash commands open the model list of the composer through this. */
export const modelPickerStore = createStore<{ open: boolean }>({ open: false });
