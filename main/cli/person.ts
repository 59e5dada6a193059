import { createInterface, type Interface } from 'node:readline';
import type { PendingApproval } from '../../shared/model/approval';
import type { TurnEvent } from '../../shared/model/turn-event';
import type { Core } from '../core/core';
import { approvalText, choicesText, parseChoice } from './approval-text';
import type { Io } from './io';
import { plainText } from './plain-text';

type AskingCore = Pick<Core, 'approvals' | 'questions'>;

/** Asks the person at the terminal, one question at a time; `close` gives the terminal back. */
export interface Person {
  onEvent(event: TurnEvent): void;
  close(): void;
}

/** Nobody is there: whatever would wait for an answer is denied at once, and the model is told. */
export function answerForNobody({ approvals }: AskingCore): Person {
  const deny = (pending: readonly PendingApproval[]) =>
    pending.forEach((approval) => approvals.reply(approval.id, 'deny', 'flag'));
  const stop = approvals.onChange(deny);
  return { onEvent: () => {}, close: stop };
}

/** Shows approvals and questions on standard error and reads the answers from standard input. */
export function askAtTerminal(core: AskingCore, io: Io): Person {
  const closed = new AbortController();
  const asked = new Set<string>();
  const inputEnded = new AbortController();
  let lines: Interface | null = null;
  let queue = Promise.resolve();
  const enqueue = (work: () => Promise<void>) => {
    queue = queue.then(async () => (closed.signal.aborted ? undefined : work()));
  };
  const openInput = (): Interface => {
    // Not a "terminal" to readline: the system's own line editing keeps Ctrl-C a signal.
    const opened = createInterface({ input: io.stdin, output: io.stderr, terminal: false });
    opened.on('close', () => inputEnded.abort());
    return opened;
  };
  const ask = (question: string, signal: AbortSignal) =>
    nextLine((lines ??= openInput()), io, question, AbortSignal.any([signal, inputEnded.signal]));

  const settleApproval = async (approval: PendingApproval) => {
    const settled = untilSettled(core, approval.id, closed.signal);
    if (settled.signal.aborted) return;
    io.stderr.write(approvalText(approval));
    for (let answer = null; answer === null && !settled.signal.aborted;) {
      const typed = await ask(choicesText(approval), settled.signal);
      answer = typed === null ? 'deny' : parseChoice(approval, typed);
      if (answer !== null && !settled.signal.aborted) core.approvals.reply(approval.id, answer, 'user');
    }
    settled.stop();
  };
  const settleQuestion = async (event: Extract<TurnEvent, { type: 'question.asked' }>) => {
    const options = event.options.map((option) => `\n    - ${plainText(option)}`).join('');
    const typed = await ask(`\n${plainText(event.question)}${options}\n> `, closed.signal);
    core.questions.reply(event.questionId, typed ?? '');
  };

  const stop = core.approvals.onChange((pending) => {
    for (const approval of pending.filter(({ id }) => !asked.has(id))) {
      asked.add(approval.id);
      enqueue(() => settleApproval(approval));
    }
  });
  return {
    onEvent: (event) => {
      if (event.type === 'question.asked') enqueue(() => settleQuestion(event));
    },
    close: () => {
      stop();
      closed.abort();
      lines?.close();
      io.stdin.destroy();
    },
  };
}

/** A signal that fires when the approval no longer waits: answered elsewhere, timed out, turn stopped. */
function untilSettled(
  core: AskingCore,
  id: string,
  closed: AbortSignal,
): { signal: AbortSignal; stop: () => void } {
  const settled = new AbortController();
  const check = (pending: readonly PendingApproval[]) => {
    if (!pending.some((approval) => approval.id === id)) settled.abort();
  };
  check(core.approvals.pending());
  const stop = core.approvals.onChange(check);
  return { signal: AbortSignal.any([settled.signal, closed]), stop };
}

/** The next line typed after the question; null when the signal fires. What was typed before is no answer to it. */
function nextLine(lines: Interface, io: Io, question: string, signal: AbortSignal): Promise<string | null> {
  if (signal.aborted) return Promise.resolve(null);
  io.stderr.write(question);
  return new Promise((resolve) => {
    const settle = (line: string | null) => {
      lines.off('line', settle);
      signal.removeEventListener('abort', onAbort);
      if (line === null) io.stderr.write('\n');
      resolve(line);
    };
    const onAbort = () => settle(null);
    lines.once('line', settle);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
