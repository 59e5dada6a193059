import type { Client } from '../../../shared/contract/contract';
import type { SessionId } from '../../../shared/model/ids';
import { createStore } from '../../lib/store';
import { pushToast, toastError } from '../../lib/toast-store';

/** Sessions that this window is having summarised. */
export const compactingStore = createStore<ReadonlySet<string>>(new Set());

/** Asks for a summary of the conversation; the notice in the chat comes with its event. */
export async function compactSession(client: Client, id: SessionId, focus: string): Promise<void> {
  if (compactingStore.get().has(id)) return;
  compactingStore.update((all) => new Set(all).add(id));
  try {
    const done = await client.session.compact({ id, focus });
    if (done === null)
      pushToast({
        tone: 'info',
        title: 'There is nothing new to summarise.',
        text: 'The conversation is short enough.',
      });
  } catch (error) {
    toastError(error, 'The conversation was not summarised');
  } finally {
    compactingStore.update((all) => new Set([...all].filter((each) => each !== id)));
  }
}
