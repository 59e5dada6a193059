import type { Client } from '../../../shared/contract/contract';
import type { Backup } from '../../../shared/contract/files';
import { Sha256 } from '../../../shared/model/ids';
import { hashOf, readIfThere } from './disk-look';
import { replaceAll, type DocumentRegistry, type TextContent, type TextDocument } from './document-registry';
import { setFile, textViewOf } from './editor-state';
import type { MergeIn } from './merge-in';
import { NO_VERSION } from './merge-trail';
import { loadMonaco } from './monaco/load';
import { freshSync } from './sync';

interface RestoreParts {
  client: Client;
  registry: DocumentRegistry;
  mergeIn: MergeIn;
  /** A reading of the file that is on its way is no longer wanted. */
  forget: (path: string) => void;
}

/** Entries of a file's log that are searched for the text that unsaved text started from. */
const SEARCHED_ENTRIES = 50;

/**
 * Puts unsaved text of the last time over what the disk holds now. What an agent changed meanwhile is merged into it, as it
 * would have been with the file open (case-D11); what can't be merged is a conflict (case-D01).
 */
export async function restoreBackup(parts: RestoreParts, backup: Backup): Promise<void> {
  const { client, registry, mergeIn, forget } = parts;
  const { path, text, baseHash } = backup;
  const monaco = await loadMonaco();
  const content = await readIfThere(client, path);
  if (registry.documents.has(path) || (content && content.kind !== 'text')) return;
  if (content?.text === text) {
    registry.events.onClean(path);
    return;
  }
  forget(path);
  if (!registry.reveals.has(path)) {
    const { cursorLine: line, cursorColumn: column } = backup;
    registry.reveals.set(path, { line, column, focus: false, at: 0 });
  }
  const document = registry.adopt(monaco, path, content ?? missingContent(path));
  replaceAll(document, text);
  const view = textViewOf(path);
  if (!view) return;
  setFile(path, { ...view, sync: { ...freshSync(baseHash), dirty: true } });
  if (content && (await mergesIn(client, document, baseHash)) && mergeIn(document, content)) return;
  if (registry.documents.get(path) !== document) return;
  document.seenText = content?.text ?? null;
  registry.send(path, { type: 'looked', exists: content !== null, hash: hashOf(content) });
}

/** Finds the text that the unsaved text started from in the log. @returns whether a merge may be tried */
async function mergesIn(client: Client, document: TextDocument, baseHash: Sha256 | null): Promise<boolean> {
  if (baseHash === null || baseHash === document.base.hash) return false;
  const text = await textBehind(client, document.path, baseHash).catch(() => null);
  if (text !== null) document.base = { text, hash: baseHash, version: NO_VERSION };
  return text !== null;
}

/** What a file held when its bytes had this hash, if some entry of the log still knows. */
async function textBehind(client: Client, path: string, hash: Sha256): Promise<string | null> {
  const entries = await client.changes.log({ path, limit: SEARCHED_ENTRIES });
  for (const { id, changes } of entries) {
    const change = changes.find((each) => each.path === path);
    if (change?.before?.hash === hash) return (await client.changes.texts({ setId: id, path })).before;
    if (change?.after?.hash === hash) return (await client.changes.texts({ setId: id, path })).after;
  }
  return null;
}

/** What a file that is not there would read as. */
const missingContent = (path: string): TextContent => ({
  kind: 'text',
  path,
  text: '',
  hash: Sha256.parse('0'.repeat(64)),
  encoding: 'utf-8',
  bom: false,
  eol: 'lf',
  large: false,
  readOnly: false,
  sizeBytes: 0,
  mtimeMs: 0,
});
