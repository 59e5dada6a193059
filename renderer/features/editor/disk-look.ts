import type { Client } from '../../../shared/contract/contract';
import type { FileContent } from '../../../shared/contract/files';
import { AppError, toErrorShape } from '../../../shared/error';
import { replaceAll, settle, viewOf, type DocumentRegistry, type TextDocument } from './document-registry';
import { setFile, textViewOf } from './editor-state';
import type { MergeIn } from './merge-in';
import { mustReload } from './sync';
import { textOf } from './text-model';

/** Codes of a file that is not there, as against one that can't be read. */
const GONE = new Set(['not_found', 'folder_missing']);

export const hashOf = (content: FileContent | null) => (content?.kind === 'text' ? content.hash : null);

/** What lies at `path`; null when nothing does. */
export async function readIfThere(client: Client, path: string): Promise<FileContent | null> {
  try {
    return await client.files.read({ path });
  } catch (error) {
    if (error instanceof AppError && GONE.has(error.code)) return null;
    throw error;
  }
}

/** Many programs empty a file before they write it; it is looked at again this much later. */
const EMPTY_MS = 150;

/** As {@link readIfThere}. A file that has just become empty is probably being written: its text would be gone for a moment. */
async function readSettled(client: Client, { path, model }: TextDocument): Promise<FileContent | null> {
  const content = await readIfThere(client, path);
  const isEmptied = content?.kind === 'text' && content.sizeBytes === 0 && model.getValueLength() > 0;
  if (!isEmptied) return content;
  await new Promise((resolve) => setTimeout(resolve, EMPTY_MS));
  return await readIfThere(client, path);
}

export type DiskLook = ReturnType<typeof createDiskLook>;

/** Compares open text files with the disk, by their contents and not by time or size (case-D05). */
export function createDiskLook(client: Client, registry: DocumentRegistry, mergeIn: MergeIn) {
  const { documents, send, patch, drop, events } = registry;

  /** Takes over what is on the disk. */
  const take = (document: TextDocument, content: FileContent): void => {
    const { path } = document;
    document.epoch += 1;
    if (content.kind !== 'text') {
      drop(path);
      setFile(path, content);
      return;
    }
    const reveal = textViewOf(path)?.reveal ?? null;
    replaceAll(document, content.text);
    settle(document, content.text, content.hash, document.model.getAlternativeVersionId());
    setFile(path, viewOf(document, content, reveal));
    events.onClean(path);
  };

  const judge = (document: TextDocument, content: FileContent | null): void => {
    const sync = textViewOf(document.path)?.sync;
    if (!sync) return;
    const hash = hashOf(content);
    // Somebody wrote what the user typed: nothing to choose between.
    const sameText =
      content?.kind === 'text' &&
      hash !== sync.baseHash &&
      content.text === textOf(document.monaco, document.model);
    if (content && (sameText || mustReload(sync, true, hash))) take(document, content);
    else if (!mergeIn(document, content)) {
      document.seenText = content?.kind === 'text' ? content.text : null;
      send(document.path, { type: 'looked', exists: content !== null, hash });
    }
  };

  const lookOnce = async (document: TextDocument): Promise<void> => {
    document.lookAgain = false;
    const { epoch } = document;
    const content = await readSettled(client, document);
    if (documents.get(document.path) !== document) return;
    if (document.saving) document.lookAgain = true;
    else if (document.epoch === epoch) judge(document, content);
    else await lookOnce(document);
  };

  const look = async (document: TextDocument): Promise<void> => {
    if (document.looking || document.saving) {
      document.lookAgain = true;
      return;
    }
    // A log of many megabytes grows all the time: it is read again when somebody asks for it.
    if (textViewOf(document.path)?.large === true) {
      patch(document.path, { stale: true });
      return;
    }
    document.looking = true;
    try {
      do await lookOnce(document);
      while (document.lookAgain && !document.saving);
    } catch (error) {
      send(document.path, { type: 'failed', error: toErrorShape(error) });
    } finally {
      document.looking = false;
    }
  };

  /** Shows what is on the disk; the text from before is one undo away. */
  const reload = async (document: TextDocument): Promise<void> => {
    const { path } = document;
    try {
      const content = await readIfThere(client, path);
      if (documents.get(path) !== document) return;
      if (content) take(document, content);
      else send(path, { type: 'looked', exists: false, hash: null });
    } catch (error) {
      send(path, { type: 'failed', error: toErrorShape(error) });
    }
  };

  return { look, reload };
}
