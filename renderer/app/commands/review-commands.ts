import type { Client } from '../../../shared/contract/contract';
import { decideAll, type Verdict } from '../../lib/review/decide';
import { pendingStore } from '../../lib/review/pending-store';
import { ACCEPT_KEYS, rejectKeys } from '../../lib/review/review-keys';
import { currentKeyPlatform } from '../../lib/keys';
import { statusStore } from '../../lib/status-store';
import { pushToast, toastError } from '../../lib/toast-store';
import type { Command } from '../command-registry';
import { loadEditor } from '../editor-bridge';
import { focusPaneSoon } from '../focus-pane';
import { openSideBySide } from '../open-side-by-side';
import { closeDrawers } from '../layout-store';
import { overlayStore, pageStore, reviewAsked } from '../overlay-store';
import { hasProject } from './view-commands';

const hasPending = (): boolean => hasProject() && pendingStore.get().files.length > 0;

/** The file in front has changes that wait. */
const isFrontPending = (): boolean => {
  const { path } = statusStore.editor.get();
  return (
    pageStore.get() === 'editor' &&
    path !== null &&
    pendingStore.get().files.some((file) => file.path === path)
  );
};

/** Shows the review in the editor's place. */
export function openReview(): void {
  reviewAsked.set(performance.now());
  pageStore.set('review');
  closeDrawers();
  focusPaneSoon('editor');
}

/** Decides on everything that is pending; what was left alone is told. */
export async function reviewAll(client: Client, verdict: Verdict): Promise<void> {
  const { problems, setId } = await decideAll(client, verdict);
  for (const { path, text } of problems) pushToast({ tone: 'warn', title: `${path} was not rejected`, text });
  if (setId === null) return;
  const undo = (): void =>
    void client.changes
      .undo({ kind: 'set', setId })
      .catch((error: unknown) => toastError(error, 'The reject was not undone'));
  pushToast({ tone: 'ok', title: 'All changes were rejected', actions: [{ label: 'Undo', run: undo }] });
}

/** Keys that mean something else in the chat and in a terminal. */
const isInCode = (): boolean =>
  isFrontPending() && document.activeElement?.closest('.chat-area, .panel, .side-bar') == null;

function editorReviewCommands(client: Client): Command[] {
  return [
    {
      id: 'review.nextChange',
      title: 'Review: Go to next change in the file',
      icon: 'arrow-down',
      keys: ['F7'],
      when: isFrontPending,
      run: async () => (await loadEditor()).stepChange(1),
    },
    {
      id: 'review.previousChange',
      title: 'Review: Go to previous change in the file',
      icon: 'arrow-up',
      keys: ['Shift+F7'],
      when: isFrontPending,
      run: async () => (await loadEditor()).stepChange(-1),
    },
    {
      id: 'review.acceptChange',
      title: 'Review: Accept the change at the cursor',
      icon: 'check',
      keys: [ACCEPT_KEYS],
      when: isInCode,
      run: async () => (await loadEditor()).decideAtCursor(client, 'accept'),
    },
    {
      id: 'review.rejectChange',
      title: 'Review: Reject the change at the cursor',
      icon: 'discard',
      keys: [rejectKeys(currentKeyPlatform())],
      when: isInCode,
      run: async () => (await loadEditor()).decideAtCursor(client, 'reject'),
    },
    {
      id: 'review.acceptFile',
      title: 'Review: Accept the file in front',
      icon: 'check',
      when: isFrontPending,
      run: async () => (await loadEditor()).decideInFront(client, 'accept', null),
    },
    {
      id: 'review.rejectFile',
      title: 'Review: Reject the file in front',
      icon: 'discard',
      when: isFrontPending,
      run: async () => (await loadEditor()).decideInFront(client, 'reject', null),
    },
    {
      id: 'review.sideBySide',
      title: 'Review: Open the file in front as side-by-side diff',
      icon: 'split-horizontal',
      when: isFrontPending,
      run: () => openSideBySide(client, statusStore.editor.get().path ?? ''),
    },
  ];
}

export function reviewCommands(client: Client): Command[] {
  return [
    ...editorReviewCommands(client),
    {
      id: 'review.open',
      title: 'Review: Review changes',
      icon: 'checklist',
      keys: ['Mod+Shift+G'],
      when: hasProject,
      run: openReview,
    },
    {
      id: 'review.acceptAll',
      title: 'Review: Accept all changes',
      icon: 'check-all',
      when: hasPending,
      run: () => reviewAll(client, 'accept'),
    },
    {
      id: 'review.rejectAll',
      title: 'Review: Reject all changes…',
      icon: 'discard',
      when: hasPending,
      run: async () => {
        if (pendingStore.get().files.length > 1) overlayStore.set({ kind: 'rejectAll' });
        else await reviewAll(client, 'reject');
      },
    },
  ];
}
