import type { Client } from '../../../shared/contract/contract';
import { baseName } from '../../lib/files/workspace-path';
import { editorState, textViewOf } from './editor-state';
import type { Documents } from './documents';

interface Change {
  path: string;
  change: 'created' | 'changed' | 'removed';
}

/** Looking at more new files than this for one that went missing would cost more than it is worth. */
const MAX_GUESSES = 20;

const isOpen = (path: string): boolean => editorState.get().files.has(path);

/** New files that may be `path` under another name: first those of the same name elsewhere, then those beside it. */
function candidates(path: string, created: readonly string[]): string[] {
  const sameName = created.filter((other) => baseName(other).toLowerCase() === baseName(path).toLowerCase());
  return [...new Set([...sameName, ...created])].filter((other) => !isOpen(other)).slice(0, MAX_GUESSES);
}

/** Where an open file went, judged by its contents; null when it is just gone (case-D12). */
async function newPlaceOf(client: Client, path: string, created: readonly string[]): Promise<string | null> {
  const hash = textViewOf(path)?.sync.baseHash;
  if (hash == null) return null;
  for (const other of candidates(path, created)) {
    const content = await client.files.read({ path: other }).catch(() => null);
    if (content?.kind === 'text' && content.hash === hash && content.sizeBytes > 0) return other;
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
    const created = changes.filter(({ change }) => change === 'created').map(({ path }) => path);
    const removed = changes.filter(({ change }) => change === 'removed').map(({ path }) => path);
    const gone = documents
      .paths()
      .filter((path) => removed.some((folder) => path === folder || path.startsWith(`${folder}/`)));
    const touched = new Set([...changes.map(({ path }) => path).filter(isOpen), ...gone]);
    for (const path of gone) {
      const to = created.length === 0 ? null : await newPlaceOf(client, path, created);
      if (to === null || !isOpen(path)) continue;
      touched.delete(path);
      onMoved(path, to);
    }
    for (const path of touched) void documents.look(path);
  };
  const stop = client.files.changed.subscribe(null, ({ paths, overflow }) => {
    if (overflow) lookAtAll();
    else void apply(paths);
  });
  // A window that comes back may have missed something: other programs' watchers are not ours.
  window.addEventListener('focus', lookAtAll);
  return () => {
    stop();
    window.removeEventListener('focus', lookAtAll);
  };
}
