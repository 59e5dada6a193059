import type { changes } from '../../shared/contract/changes';
import type { CancelSignal, HandlersOf } from '../../shared/contract/define';
import type { Core } from '../core/core';
import { untilAborted } from './until-aborted';

function toAbortSignal(signal: CancelSignal): AbortSignal {
  const controller = new AbortController();
  if (signal.aborted) controller.abort();
  else signal.addEventListener('abort', () => controller.abort(), { once: true });
  return controller.signal;
}

export const changesApi = (core: Core): HandlersOf<typeof changes> => {
  const { undo, review, trace, bisect, log } = core.changes;
  return {
    log: ({ sessionId, turnId, path, before, limit }) =>
      log.list({
        limit,
        ...(sessionId === null ? {} : { sessionId }),
        ...(turnId === null ? {} : { turnId }),
        ...(path === null ? {} : { path }),
        ...(before === null ? {} : { before }),
      }),
    texts: ({ setId, path }) => log.texts(setId, path),
    previewUndo: (target) => undo.preview(target),
    undo: (target) => undo.undo(target),
    redo: ({ setId }) => undo.redo(setId),
    conflict: ({ id }) => undo.conflict(id),
    resolve: ({ id, text, currentHash }) => undo.resolve(id, text, currentHash),
    dropConflict: ({ id }) => {
      undo.dropConflict(id);
      return null;
    },
    previewRestore: ({ sessionId, messageId }) => undo.previewRestore(sessionId, messageId),
    restore: ({ sessionId, messageId, what }) => undo.restore(sessionId, messageId, what),
    pending: (filter) => review.pending(filter),
    pendingFile: ({ path, ...filter }) => review.pendingFile(path, filter),
    accept: (decision) => review.accept(decision),
    reject: (decision) => review.reject(decision),
    lastDecision: () => review.lastDecision(),
    undoDecision: ({ id }) => review.undoDecision(id),
    origins: ({ path }) => trace.origins(path),
    changed: (_params, send, context) =>
      untilAborted(
        context.signal,
        log.onChange((paths) => void send({ paths: paths === null ? null : [...paths] })),
      ),
    bisect: (request, send, context) =>
      bisect.run(request, (progress) => void send(progress), toAbortSignal(context.signal)),
  };
};
