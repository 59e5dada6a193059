import type { Client } from '../../../shared/contract/contract';
import { projectStore } from '../../lib/project-store';
import type { Documents } from './documents';
import { editorState, textViewOf } from './editor-state';
import { moveGuesses, removedRoot, type MoveGuess } from './moved-files';

interface Change {
  path: string;
  change: 'created' | 'changed' | 'removed';
}

const isOpen = (path: string): boolean => editorState.get().files.has(path);
const isDeleted = (path: string): boolean => textViewOf(path)?.sync.disk === 'deleted';

/** Where an open file went, judged by its contents; null when it is just gone (case-D12). */
async function newPlaceOf(
  client: Client,
  path: string,
  changes: readonly Change[],
): Promise<MoveGuess | null> {
  const hash = textViewOf(path)?.sync.baseHash;
  if (hash == null) return null;
  // All empty files are alike: only one that came while one went is taken for the same.
  const single = changes.filter(({ change }) => change !== 'changed').length === 2;
  for (const guess of moveGuesses(path, changes)) {
    if (isOpen(guess.path)) continue;
    // What can't be read is not what is looked for.
    const content = await client.files.read({ path: guess.path }).catch(() => null);
    if (content?.kind === 'text' && content.hash === hash && (content.sizeBytes > 0 || single)) return guess;
  }
  return null;
}

/** Follows the disk while files are open: looks at what changed, and at everything when changes were lost. */
export function followDisk(
  client: Client,
  documents: Documents,
  onMoved: (from: string, to: string) => void,
): () => void {
  const lookAtAll = (): void => {
    for (const path of documents.paths()) void documents.look(path);
  };
  const apply = async (changes: readonly Change[]): Promise<void> => {
    const gone = documents.paths().filter((path) => removedRoot(path, changes) !== null || isDeleted(path));
    for (const path of changes.some(({ change }) => change === 'created') ? gone : []) {
      const place = isOpen(path) ? await newPlaceOf(client, path, changes) : null;
      if (place && isOpen(path)) onMoved(place.from, place.to);
    }
    for (const path of new Set([...changes.map((change) => change.path), ...gone])) {
      if (isOpen(path)) void documents.look(path);
    }
  };
  const stop = client.files.changed.subscribe(null, ({ paths, overflow }) => {
    if (overflow) lookAtAll();
    else void apply(paths);
  });
  // Nobody watched while the project folder itself was away.
  let away = false;
  const leave = projectStore.subscribe(() => {
    const wasAway = away;
    away = projectStore.get()?.exists === false;
    if (wasAway && !away) lookAtAll();
  });
  // A window that comes back may have missed something.
  window.addEventListener('focus', lookAtAll);
  return () => {
    stop();
    leave();
    window.removeEventListener('focus', lookAtAll);
  };
}
