import type { Client } from '../../../shared/contract/contract';
import { changeFeedOf } from '../../lib/review/change-feed';
import { toastError } from '../../lib/toast-store';
import type { Documents } from './documents';
import { editorState, setTabs } from './editor-state';
import { pendingTexts } from './review-texts';
import { sideBySideTabId, type DiffTab } from './tabs';

const liveTabs = (): DiffTab[] =>
  editorState.get().tabs.tabs.filter((tab): tab is DiffTab => tab.kind === 'diff' && tab.live);

function setOriginal(path: string, original: string): void {
  const id = sideBySideTabId(path);
  const isIt = (tab: { id: string; original?: string }): boolean =>
    tab.id === id && tab.original !== original;
  setTabs((list) =>
    list.tabs.some(isIt)
      ? { ...list, tabs: list.tabs.map((tab) => (isIt(tab) ? { ...tab, original } : tab)) }
      : list,
  );
}

/** Accepting moves what a side-by-side tab compares with; when nothing is pending any more both sides are the same. */
export function followReview(client: Client, documents: Documents): () => void {
  const look = async (path: string): Promise<void> => {
    const texts = await pendingTexts(client, path);
    setOriginal(path, texts ? (texts.base ?? '') : (documents.textOf(path) ?? ''));
  };
  return changeFeedOf(client).listen((paths) => {
    for (const { path } of liveTabs())
      if (paths === null || paths.has(path)) look(path).catch((error: unknown) => toastError(error));
  });
}
