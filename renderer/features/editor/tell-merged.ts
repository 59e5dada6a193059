import type { Client } from '../../../shared/contract/contract';
import type { Sha256 } from '../../../shared/model/ids';
import { baseName } from '../../lib/files/workspace-path';
import { pushToast } from '../../lib/toast-store';

const WHOSE = {
  agent: 'the agent’s change',
  command: 'a command’s change',
  undo: 'an undone change',
  user: 'another window’s change',
  outside: 'another program’s change',
} as const;

/** Whose change made the file what it is; the log may not know it (yet). */
async function whose(client: Client, path: string, hash: Sha256): Promise<string> {
  const entries = await client.changes.log({ path, limit: 1 }).catch(() => []);
  const made = entries.find(({ changes }) =>
    changes.some((change) => change.path === path && change.after?.hash === hash),
  );
  return made ? WHOSE[made.author.kind] : 'a change';
}

/** Tells that somebody's change was taken into unsaved text, without moving anything on screen (case-D11). */
export async function tellMerged(client: Client, path: string, hash: Sha256, lines: number): Promise<void> {
  const count = `${lines} ${lines === 1 ? 'line' : 'lines'}`;
  pushToast({
    tone: 'info',
    title: `Merged ${await whose(client, path, hash)} of ${count}`,
    text: `${baseName(path)} has it beside your unsaved text. Undo takes it out of the text again.`,
  });
}
