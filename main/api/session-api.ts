import { AppError } from '../../shared/error';
import type { CallContext, HandlersOf } from '../../shared/contract/define';
import type { session } from '../../shared/contract/session';
import type { SessionId } from '../../shared/model/ids';
import { windowItems } from '../../shared/model/session-batch';
import type { Core } from '../core/core';
import { SNAPSHOT_ITEMS } from '../core/limits';
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
  const stopEvents = runtime.listen((events) => void send({ kind: 'events', events: [...events] }));
  const stopSummary = core.catalog.onChange((change) => {
    if (change.kind === 'updated' && change.summary.id === id) {
      void send({ kind: 'summary', summary: change.summary });
    }
  });
  return untilAborted(context.signal, stopEvents, stopSummary);
}

export const sessionApi = (core: Core): SessionHandlers => ({
  list: ({ query }) => core.sessions.list(query, true),
  create: (options) => core.sessions.create(options),
  get: ({ id }) => core.sessions.get(id),
  rename: ({ id, title }) => core.sessions.rename(id, title),
  remove: async ({ id }) => {
    await core.sessions.remove(id);
    return null;
  },
  configure: ({ id, mode, model, agent }) =>
    core.sessions.configure(id, {
      ...(mode ? { mode } : {}),
      ...(model === undefined ? {} : { model }),
      ...(agent === undefined ? {} : { agent }),
    }),
  compact: async ({ id, focus }, context) => {
    const stop = new AbortController();
    context.signal.addEventListener('abort', () => stop.abort(), { once: true });
    return core.context.compact(id, focus, stop.signal);
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
