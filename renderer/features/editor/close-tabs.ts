import type { Documents } from './documents';
import { editorState, textViewOf, type CloseQuestion } from './editor-state';

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

/**
 * Which of `ids` may close: unsaved ones only after the user said what becomes of their text, and not when saving them
 * failed.
 */
export async function mayClose(documents: Documents, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const dirty = ids.filter((id) => textViewOf(id)?.sync.dirty === true);
  if (dirty.length === 0) return new Set(ids);
  const choice = await ask(dirty);
  if (choice === 'cancel') return new Set();
  const unsaved = choice === 'save' ? await saveEach(documents, dirty) : [];
  return new Set(ids.filter((id) => !unsaved.includes(id)));
}
