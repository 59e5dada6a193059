import type { HandlersOf } from '../../shared/contract/define';
import type { turn } from '../../shared/contract/turn';
import type { Core } from '../core/core';
import { changedSince } from '../core/turn/receipt/changed-since';
import { untilAborted } from './until-aborted';

export const turnApi = (core: Core): HandlersOf<typeof turn> => ({
  start: async (request) =>
    core.turns.start({
      ...request,
      facts: await core.context.turnFacts(request.sessionId, request.mentions),
    }),
  resume: ({ sessionId, how }) => core.turns.resume(sessionId, how),
  interject: ({ sessionId, text, images }) => {
    core.turns.interject(sessionId, text, images);
    return null;
  },
  queue: (request) => ({ id: core.queue.put(request).id }),
  queued: ({ sessionId }) => core.queue.list(core.sessions.get(sessionId).id),
  unqueue: ({ sessionId, id }) => core.queue.remove(sessionId, id),
  sendQueued: ({ sessionId }) => core.queue.sendNext(sessionId),
  queueChanged: ({ sessionId }, send, context) => {
    void send(core.queue.list(sessionId));
    return untilAborted(
      context.signal,
      core.queue.onChange((changed, messages) => {
        if (changed === sessionId) void send([...messages]);
      }),
    );
  },
  askAside: ({ sessionId, text }) => core.asides.ask(sessionId, text),
  stopAside: ({ asideId }) => {
    core.asides.stop(asideId);
    return null;
  },
  asidesChanged: (_params, send, context) => {
    const tell = (): void => void send(core.asides.list());
    tell();
    return untilAborted(context.signal, core.asides.onChange(tell));
  },
  stop: async ({ sessionId }) => {
    core.subagents.stopQueued(sessionId);
    await core.turns.stop(sessionId);
    return null;
  },
  approvals: () => [...core.approvals.pending()],
  replyApproval: ({ id, answer }) => ({ accepted: core.approvals.reply(id, answer, 'user') }),
  replyQuestion: ({ id, answer }) => ({ accepted: core.questions.reply(id, answer) }),
  revertEdit: async ({ sessionId, callId, path }) => {
    await core.revertEdit(sessionId, callId, path);
    return null;
  },
  editTexts: ({ sessionId, callId, path }) => core.editTexts(sessionId, callId, path),
  changedSince: async ({ files }) => ({ paths: await changedSince(core.requireProject().files, files) }),
  approvalsChanged: (_params, send, context) => {
    void send([...core.approvals.pending()]);
    return untilAborted(
      context.signal,
      core.approvals.onChange((pending) => void send([...pending])),
    );
  },
});
