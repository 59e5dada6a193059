import type { Documents } from './documents';
import { editorState, textViewOf, type CloseQuestion } from './editor-state';
import { documentOf } from './tabs';

/** One question at a time: a second one cancels the first. */
function ask(paths: readonly string[]): Promise<'save' | 'discard' | 'cancel'> {
  editorState.get().question?.answer('cancel');
  return new Promise((resolve) => {
    const question: CloseQuestion = {
      paths,
      answer: (choice) => {
        editorState.update((state) => (state.question === question ? { ...state, question: null } : state));
        resolve(choice);
      },
    };
    editorState.update((state) => ({ ...state, question }));
  });
}

/** Saves one file after the other; answers those that are still unsaved. */
export async function saveEach(documents: Documents, paths: readonly string[]): Promise<string[]> {
  const unsaved: string[] = [];
  for (const path of paths) {
    const outcome = await documents.save(path);
    if (outcome === 'refused' || outcome === 'failed') unsaved.push(path);
  }
  return unsaved;
}

/** The document that nobody shows any more once tab `id` is closed with the other `ids`; null when there is none. */
export function leavingDocument(ids: readonly string[], id: string): string | null {
  const { tabs } = editorState.get().tabs;
  const tab = tabs.find((other) => other.id === id);
  const path = tab ? documentOf(tab) : null;
  const stays = tabs.some((other) => !ids.includes(other.id) && documentOf(other) === path);
  return stays ? null : path;
}

/**
 * Which of `ids` may close: unsaved ones only after the user said what becomes of their text, and not when saving them
 * failed.
 */
export async function mayClose(documents: Documents, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const leaving = new Map(ids.map((id) => [id, leavingDocument(ids, id)]));
  const dirty = [...new Set(leaving.values())].filter(
    (path) => path !== null && textViewOf(path)?.sync.dirty === true,
  ) as string[];
  if (dirty.length === 0) return new Set(ids);
  const choice = await ask(dirty);
  if (choice === 'cancel') return new Set();
  const unsaved = choice === 'save' ? await saveEach(documents, dirty) : [];
  return new Set(ids.filter((id) => !unsaved.includes(leaving.get(id) ?? '')));
}
