import { AppError } from '../../shared/error';
import type { CallContext, HandlersOf } from '../../shared/contract/define';
import type { session } from '../../shared/contract/session';
import type { MessageId, SessionId } from '../../shared/model/ids';
import { windowItems } from '../../shared/model/session-batch';
import { estimateMessageTokens } from '../core/context/tokens';
import type { Core } from '../core/core';
import { isHarnessText, saidText } from '../core/store/said-text';
import { SNAPSHOT_ITEMS } from '../core/limits';
import { imagesOf, storedImage } from '../core/image/stored-image';
import { editMessage } from '../core/session/edit-message';
import { searchSessions } from '../core/session/session-search';
import type { SessionRuntime } from '../core/session/session-runtime';
import { untilAborted } from './until-aborted';

type SessionHandlers = HandlersOf<typeof session>;

/** What waits for room on a full disk is left out: it comes as events once it is stored. */
function bringUpToDate(core: Core, runtime: SessionRuntime): void {
  try {
    if (core.turns.isRunning(runtime.id)) runtime.log.flush();
    else runtime.catchUp();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'disk_full') throw error;
  }
}

/** Reads the messages for the model while the user reads theirs: the first message sent need not wait for it. */
function readAhead(core: Core, runtime: SessionRuntime, { signal }: CallContext): void {
  runtime.history.warm(estimateMessageTokens).catch((error: unknown) => {
    if (!signal.aborted) core.log.warn('a session could not be read ahead', { error: String(error) });
  });
}

/** Snapshot first, then every event in order; nothing is lost between the two since both happen in one tick. */
function follow(
  core: Core,
  id: SessionId,
  send: Parameters<SessionHandlers['events']>[1],
  context: CallContext,
) {
  const runtime = core.catalog.runtime(id);
  bringUpToDate(core, runtime);
  const view = windowItems(runtime.view, SNAPSHOT_ITEMS);
  void send({ kind: 'snapshot', view, summary: core.sessions.get(id) });
  readAhead(core, runtime, context);
  const stopEvents = runtime.listen((events) => void send({ kind: 'events', events: [...events] }));
  const stopSummary = core.catalog.onChange((change) => {
    if (change.kind === 'updated' && change.summary.id === id) {
      void send({ kind: 'summary', summary: change.summary });
    }
  });
  return untilAborted(context.signal, stopEvents, stopSummary);
}

/** Ends when the client that asked is gone. */
function abortWith(context: CallContext): AbortSignal {
  const stop = new AbortController();
  if (context.signal.aborted) stop.abort();
  context.signal.addEventListener('abort', () => stop.abort(), { once: true });
  return stop.signal;
}

/** Characters of a message that a list of messages shows. */
const LISTED_CHARS = 2_000;

/** Copies of sessions: forks, rewinds, exports, imports. */
const copyHandlers = (core: Core) =>
  ({
    fork: (request) => core.branches.fork(request),
    rewind: ({ id, messageId, keepFork }) => core.branches.rewind(id, messageId, keepFork),
    edit: (request) => {
      const images = imagesOf(core.catalog.runtime(request.id).history, request.messageId);
      return editMessage({ ...request, images }, core.branches, core.turns);
    },
    export: async ({ id, path, into }, context) => {
      const signal = abortWith(context);
      const { dir, ...report } = into
        ? await core.archive.exportInto(id, path, signal)
        : await core.archive.exportTo(id, path, signal);
      return { path: dir, ...report };
    },
    import: ({ path }, context) => {
      const { id, path: root } = core.requireProject().info;
      const target = { projectId: id, projectPath: root, mode: 'agent' } as const;
      return core.archive.importFrom(path, target, abortWith(context));
    },
    foreign: (_input, context) => core.archive.findForeign(abortWith(context)),
    importForeign: async (choice, context) => {
      const { imported, ...report } = await core.archive.importForeign(choice, abortWith(context));
      return { imported: imported.map((id) => id as SessionId), ...report };
    },
  }) satisfies Partial<SessionHandlers>;

/** Finding one's way in and between sessions. */
const findHandlers = (core: Core) =>
  ({
    image: ({ id, messageId, index }) => storedImage(core.catalog.runtime(id).history, messageId, index),
    search: ({ query, everywhere }) =>
      searchSessions(core.store, query, everywhere ? null : core.requireProject().info.id),
    locate: ({ id, position }) => ({ index: core.catalog.runtime(id).indexAt(position) }),
    messages: ({ id, after, limit }) => {
      core.sessions.get(id);
      const { messages } = core.store.events.messages(id, after, limit);
      return messages.flatMap(({ id: messageId, position, at, message }) => {
        const { role, content } = message;
        // What the harness said in the user's place is none of theirs.
        if (role === 'system' || (role === 'user' && isHarnessText(content))) return [];
        const text = (role === 'user' ? saidText(content) : content).slice(0, LISTED_CHARS);
        const images = role === 'user' ? (message.images ?? []).length : 0;
        if (role === 'user' && text === '' && images === 0) return [];
        const placed = { id: messageId as MessageId, position, role, at, text };
        return [images === 0 ? placed : { ...placed, images }];
      });
    },
  }) satisfies Partial<SessionHandlers>;

export const sessionApi = (core: Core): SessionHandlers => ({
  ...copyHandlers(core),
  ...findHandlers(core),
  list: ({ query }) => core.sessions.list(query, true),
  create: (options) => core.sessions.create(options),
  get: ({ id }) => core.sessions.get(id),
  rename: ({ id, title }) => core.sessions.rename(id, title),
  remove: async ({ id }) => {
    await core.sessions.remove(id);
    return null;
  },
  configure: ({ id, mode, model, agent, budgetMicros, budgetTokens }) =>
    core.sessions.configure(id, {
      ...(mode ? { mode } : {}),
      ...(model === undefined ? {} : { model }),
      ...(agent === undefined ? {} : { agent }),
      ...(budgetMicros === undefined ? {} : { budgetMicros }),
      ...(budgetTokens === undefined ? {} : { budgetTokens }),
    }),
  compact: async ({ id, focus }, context) => {
    return core.context.compact(id, focus, abortWith(context));
  },
  older: ({ id, before, limit }) => ({ view: core.catalog.runtime(id).older(before, limit) }),
  events: ({ id }, send, context) => follow(core, id, send, context),
  changed: (_params, send, context) =>
    untilAborted(
      context.signal,
      core.catalog.onChange((change) => {
        const projectId = core.project()?.info.id;
        if (change.kind === 'removed' || change.summary.projectId === projectId) void send(change);
      }),
    ),
});
