import { z } from 'zod';
import { GivenImages, isSaid, NOTHING_SAID } from '../image/given-images';
import { ApprovalAnswer, PendingApproval } from '../model/approval';
import {
  ApprovalId,
  AsideId,
  CallId,
  QuestionId,
  SessionId,
  Sha256,
  TurnId,
  WorkspacePath,
} from '../model/ids';
import { QueuedId, QueuedMessage } from '../model/queued-message';
import { domain, event, Nothing, request } from './define';

export const turn = domain('turn', {
  /** Starts a turn; `busy` when one runs already (use `interject`). */
  start: request({
    input: z
      .object({
        sessionId: SessionId,
        /** May be empty beside images. */
        text: z.string().max(1_000_000),
        /** Files the user mentioned with @; their paths are put beside the text for the model. */
        mentions: z.array(WorkspacePath).max(100).default([]),
        openFiles: z.array(WorkspacePath).max(50).default([]),
        /** `file_too_large` over 5 MB for one or 20 MB together; what is no readable image becomes a line of text. */
        images: GivenImages,
      })
      .refine(isSaid, NOTHING_SAID),
    output: z.object({ turnId: TurnId }),
  }),
  /** Runs the last turn's request again (`retry`) or goes on from what is kept (`continue`). */
  resume: request({
    input: z.object({ sessionId: SessionId, how: z.enum(['retry', 'continue']) }),
    output: z.object({ turnId: TurnId }),
  }),
  /** A message for the running turn; it reaches the model before its next request. */
  interject: request({
    input: z
      .object({ sessionId: SessionId, text: z.string().max(1_000_000), images: GivenImages })
      .refine(isSaid, NOTHING_SAID),
    output: Nothing,
  }),
  /**
   * A message that is sent once the running turn has ended, behind those that wait already; with `id` it takes the place
   * of that one. `bad_argument` when no turn runs (use `start`) or too much waits, `not_found` when `id` was sent.
   */
  queue: request({
    input: z.object({
      sessionId: SessionId,
      id: QueuedId.optional(),
      /** May be empty beside images; one that takes another's place has the images of that one. */
      text: z.string().max(1_000_000),
      mentions: z.array(WorkspacePath).max(100).default([]),
      images: GivenImages,
    }),
    output: z.object({ id: QueuedId }),
  }),
  /** What waits in one session, oldest first; `queueChanged` tells of changes. */
  queued: request({ input: z.object({ sessionId: SessionId }), output: z.array(QueuedMessage) }),
  /** Takes a waiting message out and gives it back; `not_found` when it was sent. */
  unqueue: request({ input: z.object({ sessionId: SessionId, id: QueuedId }), output: QueuedMessage }),
  /** Starts a turn with the oldest waiting message: a queue stands still after Stop and after a fault. */
  sendQueued: request({ input: z.object({ sessionId: SessionId }), output: z.object({ turnId: TurnId }) }),
  /** A side question, while a turn runs or rests; resolves once its answer is stored. */
  askAside: request({
    input: z.object({ sessionId: SessionId, text: z.string().min(1).max(100_000) }),
    output: z.object({ asideId: AsideId }),
  }),
  stopAside: request({ input: z.object({ asideId: AsideId }), output: Nothing }),
  stop: request({ input: z.object({ sessionId: SessionId }), output: Nothing }),
  approvals: request({ input: Nothing, output: z.array(PendingApproval) }),
  /** `accepted` is false when the approval was already answered, timed out or is unknown: nothing changed then. */
  replyApproval: request({
    input: z.object({ id: ApprovalId, answer: ApprovalAnswer }),
    output: z.object({ accepted: z.boolean() }),
  }),
  replyQuestion: request({
    input: z.object({ id: QuestionId, answer: z.string().max(20_000) }),
    output: z.object({ accepted: z.boolean() }),
  }),
  /** Puts one file back to what it was before this call's edit; `stale` when it changed since. */
  revertEdit: request({
    input: z.object({ sessionId: SessionId, callId: CallId, path: WorkspacePath }),
    output: Nothing,
  }),
  /**
   * The text before and after one call's edit of `path`, for a side by side view; also of a write that waits for
   * approval (`pending`). `file_too_large`, `binary_file`, or `not_found` when what was there is not kept any more.
   */
  editTexts: request({
    input: z.object({ sessionId: SessionId, callId: CallId, path: WorkspacePath }),
    output: z.object({ before: z.string(), after: z.string(), pending: z.boolean() }),
  }),
  /**
   * Which of these files have other bytes now than the given hash (null: the file was gone): tells whether a receipt is
   * stale. A file that can't be read counts as changed.
   */
  changedSince: request({
    input: z.object({ files: z.array(z.object({ path: WorkspacePath, hash: Sha256.nullable() })).max(1000) }),
    output: z.object({ paths: z.array(WorkspacePath) }),
  }),
  /** What waits in one session, oldest first: now and on every change. */
  queueChanged: event({ params: z.object({ sessionId: SessionId }), payload: z.array(QueuedMessage) }),
  /** Side questions that are being answered, with the text so far: now and as it grows. */
  asidesChanged: event({
    params: Nothing,
    payload: z.array(z.object({ asideId: AsideId, sessionId: SessionId, text: z.string() })),
  }),
  /** All pending approvals of this host, on every change: drives dialogs, badges and notifications. */
  approvalsChanged: event({ params: Nothing, payload: z.array(PendingApproval) }),
});
