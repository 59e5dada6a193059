import type { Client } from '../../../shared/contract/contract';
import type { FileContent } from '../../../shared/contract/files';
import {
  editLines,
  isDirty,
  type DocumentRegistry,
  type TextContent,
  type TextDocument,
} from './document-registry';
import { textViewOf } from './editor-state';
import { mergeDisk, type DiskMerge } from './merge-disk';
import { NO_VERSION, wasUndone } from './merge-trail';
import { mayMerge } from './sync';
import { tellMerged } from './tell-merged';
import { textOf } from './text-model';

/** Takes what changed on the disk into text that somebody is typing (case-D11). Answers false when it can't be. */
export type MergeIn = (document: TextDocument, content: FileContent | null) => boolean;

export function createMergeIn(client: Client, { patch, send, events }: DocumentRegistry): MergeIn {
  return (document, content) => {
    const sync = textViewOf(document.path)?.sync;
    const { base, path } = document;
    if (!sync || content?.kind !== 'text' || !mayMerge(sync, content.hash)) return false;
    if (base.text === null || base.hash !== sync.baseHash) return false;
    if (wasUndone(document.trail, content.hash)) return false;
    const merge = mergeDisk(base.text, textOf(document.monaco, document.model), content.text);
    if (merge === null) return false;
    rebase(document, content, merge);
    patch(path, { encoding: content.encoding, bom: content.bom, eol: content.eol });
    send(path, { type: 'rebased', hash: content.hash, dirty: isDirty(document) });
    if (isDirty(document)) events.onEdit(path);
    void tellMerged(client, path, content.hash, merge.lines);
    return true;
  };
}

/** Puts a merge into the model as one step of its undo stack. */
function rebase(document: TextDocument, content: TextContent, { text, edits }: DiskMerge): void {
  const { model, base } = document;
  const from = model.getAlternativeVersionId();
  editLines(document, edits);
  const to = model.getAlternativeVersionId();
  const version = text === content.text ? to : NO_VERSION;
  const after = { text: content.text, hash: content.hash, version };
  document.epoch += 1;
  document.base = after;
  document.seenText = null;
  // A text that had the change already is not another one.
  if (to !== from) {
    document.trail = { done: [...document.trail.done, { from, to, before: base, after }], undone: [] };
  }
}
