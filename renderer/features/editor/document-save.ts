import type { Client } from '../../../shared/contract/contract';
import { toErrorShape } from '../../../shared/error';
import { hashOf, type DiskLook } from './disk-look';
import {
  isDirty,
  settle,
  type DocumentRegistry,
  type SaveOutcome,
  type TextDocument,
} from './document-registry';
import { textViewOf } from './editor-state';
import type { MergeIn } from './merge-in';
import { maySave, needsSave, saveBase, type Sync } from './sync';
import { textOf } from './text-model';

/** `utf-8` where the file's own encoding has not all of the text's characters and the user said so (case-D09). */
export type SaveEncoding = 'keep' | 'utf-8';

/** Writes text files; what the disk holds meanwhile is never written over unseen (case-D01, case-D06). */
export function createSave(
  client: Client,
  registry: DocumentRegistry,
  { look, mergeIn }: Pick<DiskLook, 'look'> & { mergeIn: MergeIn },
): (document: TextDocument, encoding?: SaveEncoding) => Promise<SaveOutcome> {
  const { send } = registry;

  const write = async (
    document: TextDocument,
    sync: Sync,
    encoding: SaveEncoding,
  ): Promise<SaveOutcome | 'merged'> => {
    const { path, model } = document;
    const version = model.getAlternativeVersionId();
    const text = textOf(document.monaco, model);
    send(path, { type: 'saving' });
    try {
      const result = await client.files.save({
        path,
        text,
        baseHash: saveBase(sync),
        overwrite: false,
        encoding,
      });
      document.epoch += 1;
      if (result.kind === 'conflict') {
        const { current } = result;
        // The agent was a moment faster: with its change in the text, the text may be saved (case-D11).
        if (mergeIn(document, current)) return 'merged';
        document.seenText = current?.kind === 'text' ? current.text : null;
        send(document.path, { type: 'refused', exists: current !== null, hash: hashOf(current) });
        return 'refused';
      }
      settle(document, text, result.hash, version);
      if (encoding === 'utf-8') registry.patch(document.path, { encoding, bom: false });
      send(document.path, { type: 'saved', hash: result.hash, dirty: isDirty(document) });
      return 'saved';
    } catch (error) {
      send(document.path, { type: 'failed', error: toErrorShape(error) });
      return 'failed';
    }
  };

  const saveNow = async (document: TextDocument, encoding: SaveEncoding): Promise<SaveOutcome> => {
    const sync = textViewOf(document.path)?.sync;
    if (!sync || !needsSave(sync)) return 'nothing';
    if (maySave(sync)) {
      const outcome = await write(document, sync, encoding);
      return outcome === 'merged' ? await saveNow(document, encoding) : outcome;
    }
    send(document.path, { type: 'refused', exists: true, hash: sync.diskHash });
    return 'refused';
  };

  /** One after the other: what is typed during a save needs one of its own. */
  return async (document, encoding = 'keep') => {
    while (document.saving) await document.saving;
    const saving = saveNow(document, encoding);
    document.saving = saving;
    try {
      return await saving;
    } finally {
      document.saving = null;
      if (document.lookAgain) void look(document);
    }
  };
}
