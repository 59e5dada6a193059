import type { StatusActions } from '../features/status/status-bar';
import { overlayStore } from './overlay-store';
import { registry } from './registry';

/** What the status bar's buttons do. */
export const statusActions: StatusActions = {
  showChat: () => void registry.run('view.chat'),
  showProviders: () => void registry.run('model.setUp'),
  goToLine: () => void registry.run('view.goToLine'),
  showSettings: () => void registry.run('view.settings'),
  showPalette: (query) => overlayStore.set({ kind: 'palette', query }),
};
