import { windowStore } from '../lib/window-store';
import { focusPaneSoon } from './focus-pane';
import { closeDrawers, showPane } from './layout-store';
import { pageStore } from './overlay-store';

/** Brings forward what panes ask each other for: a turn in the chat, a conflict in the editor's place. */
export function followRequests(): () => void {
  const leave = [
    windowStore.turn.subscribe(() => {
      if (windowStore.turn.get()) showPane('chat', true);
    }),
    windowStore.conflict.subscribe(() => {
      if (windowStore.conflict.get() === null) return;
      pageStore.set('conflict');
      closeDrawers();
      focusPaneSoon('editor');
    }),
    // Asked for again, the same conflict is shown again.
    pageStore.subscribe(() => {
      if (pageStore.get() !== 'conflict') windowStore.conflict.set(null);
    }),
  ];
  return () => {
    for (const stop of leave) stop();
  };
}
