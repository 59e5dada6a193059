import { modelPickerStore } from '../features/chat/model-picker-store';
import type { StatusActions } from '../features/status/status-bar';
import { windowStore } from '../lib/window-store';
import { showPane } from './layout-store';
import { overlayStore } from './overlay-store';
import { registry } from './registry';

/** What the status bar's buttons do. */
export const statusActions: StatusActions = {
  showChat: () => void registry.run('view.chat'),
  showReview: () => void registry.run('review.open'),
  showWaiting: () => {
    showPane('chat', true);
    windowStore.review.set({ sessionId: null });
  },
  chooseModel: () => {
    showPane('chat', true);
    modelPickerStore.set({ open: true });
  },
  showProviders: () => void registry.run('model.setUp'),
  goToLine: () => void registry.run('view.goToLine'),
  showSettings: () => void registry.run('view.settings'),
  showPalette: (query) => overlayStore.set({ kind: 'palette', query }),
};
