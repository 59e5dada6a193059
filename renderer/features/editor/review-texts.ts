import { useEffect } from 'react';
import type { Client } from '../../../shared/contract/contract';
import { toErrorShape } from '../../../shared/error';
import type { ReviewTexts } from '../../../shared/model/change';
import { WorkspacePath } from '../../../shared/model/ids';
import { useClient } from '../../lib/client-context';
import { changeFeedOf } from '../../lib/review/change-feed';
import { EVERYTHING, pendingStore } from '../../lib/review/pending-store';
import { createStore, useStore, type ReadableStore } from '../../lib/store';
import { toastError } from '../../lib/toast-store';

const state = createStore<ReviewTexts | null>(null);

/** The pending changes of the file in front; null when nothing of it waits. */
export const frontReview: ReadableStore<ReviewTexts | null> = state;

/** @returns null when nothing of the file is pending (any more) */
export async function pendingTexts(
  client: Pick<Client, 'changes'>,
  path: string,
): Promise<ReviewTexts | null> {
  try {
    return await client.changes.pendingFile({ ...EVERYTHING, path: WorkspacePath.parse(path) });
  } catch (error) {
    if (toErrorShape(error).code === 'not_found') return null;
    throw error;
  }
}

/** Keeps {@link frontReview} to this file: it is read when it becomes pending and whenever its changes change. */
export function useFrontReview(path: string): void {
  const client = useClient();
  const pending = useStore(pendingStore, ({ files }) => files.some((file) => file.path === path));
  useEffect(() => {
    if (!pending) return undefined;
    let asked = 0;
    const look = async (): Promise<void> => {
      asked += 1;
      const mine = asked;
      const texts = await pendingTexts(client, path);
      if (mine === asked) state.set(texts);
    };
    const lookNow = (): void => void look().catch((error: unknown) => toastError(error));
    const leave = changeFeedOf(client).listen((paths) => {
      if (paths === null || paths.has(path)) lookNow();
    });
    lookNow();
    return () => {
      asked += 1;
      leave();
      state.set(null);
    };
  }, [client, path, pending]);
}
