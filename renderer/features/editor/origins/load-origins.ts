import type { Client } from '../../../../shared/contract/contract';
import { textViewOf } from '../editor-state';
import { lineEdits } from '../line-edits';
import { originRuns, type OriginRun } from './origin-lines';

/**
 * Who wrote the lines of an open file as it is on screen; unsaved lines are left out.
 *
 * @param shown the text on screen at the moment it is asked for, LF; null when it is gone
 * @returns null when the file is not on screen any more
 */
export async function loadOrigins(
  client: Pick<Client, 'changes' | 'files'>,
  path: string,
  shown: () => string | null,
): Promise<OriginRun[] | null> {
  const { hash, origins } = await client.changes.origins({ path });
  const sync = textViewOf(path)?.sync;
  if (sync && !sync.dirty && sync.baseHash === hash) return originRuns(origins);
  // What is on screen is not what lies on the disk: edited, or about to be read again.
  const disk = await client.files.read({ path });
  const text = shown();
  if (text === null) return null;
  return originRuns(origins, lineEdits(disk.kind === 'text' ? disk.text : '', text));
}
