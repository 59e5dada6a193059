import { createStore } from '../lib/store';

/** What lies over the window; one at a time. Approvals have their own place above all of these. */
export type Overlay =
  | { kind: 'palette'; query: string }
  | { kind: 'providers'; providerId: string | null }
  | { kind: 'folder' }
  | { kind: 'sessions' }
  | { kind: 'exportSession'; sessionId: string }
  | { kind: 'importSession' }
  | { kind: 'importForeign' }
  | { kind: 'log' }
  | { kind: 'keys' }
  /** The question before all pending changes are rejected. */
  | { kind: 'rejectAll' };

export const overlayStore = createStore<Overlay | null>(null);
export const closeOverlay = (): void => overlayStore.set(null);

/** When the review was asked for last, as `performance.now()` counts. */
export const reviewAsked = createStore(0);

/** What the editor's place shows. */
export const pageStore = createStore<
  'editor' | 'settings' | 'context' | 'review' | 'changes' | 'conflict' | 'bisect'
>('editor');
