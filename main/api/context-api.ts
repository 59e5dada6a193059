import type { HandlersOf } from '../../shared/contract/define';
import type { context } from '../../shared/contract/context';
import type { Core } from '../core/core';
import { untilAborted } from './until-aborted';

export const contextApi = (core: Core): HandlersOf<typeof context> => ({
  next: ({ sessionId, summarised }) => core.context.next(sessionId, summarised),
  item: ({ sessionId, itemId }) => core.context.item(sessionId, itemId),
  mark: async ({ sessionId, itemId, action }) => {
    await core.context.mark(sessionId, itemId, action);
    return null;
  },
  undoCompaction: async ({ sessionId, compactionId }) => ({
    tokens: await core.context.undoCompaction(sessionId, compactionId),
  }),
  rules: ({ sessionId }) => core.context.rules(sessionId),
  changed: (_params, send, { signal }) =>
    untilAborted(
      signal,
      core.context.onChange((sessionId) => void send({ sessionId })),
    ),
});
