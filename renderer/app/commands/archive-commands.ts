import type { Client } from '../../../shared/contract/contract';
import { AppError } from '../../../shared/error';
import { SessionId } from '../../../shared/model/ids';
import { statusStore } from '../../lib/status-store';
import { pushToast } from '../../lib/toast-store';
import type { Command } from '../command-registry';
import { overlayStore, type Overlay } from '../overlay-store';
import { openSession } from './session-commands';
import { hasProject } from './view-commands';

type ArchiveClient = Pick<Client, 'session' | 'project'>;

/** Lets the user pick a folder in the host's own dialog, or in ours where the host has none. */
async function withFolder(
  client: ArchiveClient,
  take: (path: string) => Promise<void>,
  instead: Overlay,
): Promise<void> {
  let picked: { path: string } | null;
  try {
    picked = await client.project.pickFolder(null);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'unsupported') throw error;
    overlayStore.set(instead);
    return;
  }
  if (picked) await take(picked.path);
}

/** Writes a session into a new folder inside `parent` and says where. */
export async function exportInto(client: ArchiveClient, sessionId: string, parent: string): Promise<void> {
  const id = SessionId.parse(sessionId);
  const { path, messages } = await client.session.export({ id, path: parent, into: true });
  const count = messages === 1 ? '1 message' : `${messages.toLocaleString('en')} messages`;
  pushToast({ tone: 'ok', title: 'Session exported', text: `${count} in ${path}` });
}

/** Reads a folder into a new session and opens it. */
export async function importFrom(client: ArchiveClient, path: string): Promise<void> {
  const { session, skipped } = await client.session.import({ path });
  openSession(session.id);
  const lines = skipped === 1 ? '1 line' : `${skipped.toLocaleString('en')} lines`;
  if (skipped > 0) pushToast({ tone: 'warn', title: session.title, text: `${lines} could not be read.` });
}

export function archiveCommands(client: ArchiveClient): Command[] {
  return [
    {
      id: 'session.export',
      title: 'Chat: Export session…',
      icon: 'export',
      when: () => hasProject() && statusStore.chat.get().sessionId !== null,
      run: async (id) => {
        const sessionId = typeof id === 'string' ? id : statusStore.chat.get().sessionId;
        if (sessionId === null) return;
        const take = (path: string): Promise<void> => exportInto(client, sessionId, path);
        await withFolder(client, take, { kind: 'exportSession', sessionId });
      },
    },
    {
      id: 'session.import',
      title: 'Chat: Import a session…',
      icon: 'cloud-download',
      when: hasProject,
      run: () => withFolder(client, (path) => importFrom(client, path), { kind: 'importSession' }),
    },
    {
      id: 'session.importForeign',
      title: 'Chat: Import from other tools…',
      icon: 'cloud-download',
      run: () => overlayStore.set({ kind: 'importForeign' }),
    },
  ];
}
