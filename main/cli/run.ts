import path from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { setFlagsFromString } from 'node:v8';
import { AppError } from '../../shared/error';
import type { GivenImage } from '../../shared/image/image-facts';
import type { TurnEvent } from '../../shared/model/turn-event';
import { createCore } from '../core/compose';
import type { Core, CoreOptions } from '../core/core';
import type { SessionId } from '../../shared/model/ids';
import type { RunCommand } from './args';
import { baseCoreOptions } from './core-options';
import { EXIT, type ExitCode, exitCodeOf } from './exit-code';
import { cliHostPort } from './host-port';
import { watchInterrupts } from './interrupts';
import { type Io, isInteractive, notice } from './io';
import { readImages } from './read-images';
import { answerForNobody, askAtTerminal } from './person';
import { jsonReporter, readableReporter } from './reporter';

/** A stopped turn reports its end within 200 ms; a core that doesn't is left behind. */
const STOP_LIMIT_MS = 3000;

type Finished = Extract<TurnEvent, { type: 'turn.finished' }>;

/**
 * V8 learns how code is used only from its eighth call on, to save memory. This process lives for one turn, in which much
 * runs a dozen times: learning from the first call takes a tenth off each step.
 */
function learnAtOnce(): void {
  setFlagsFromString('--no-lazy-feedback-allocation');
}

/** `lathe run`: one turn in one folder; resolves to the exit code. */
export async function run(command: RunCommand, io: Io): Promise<ExitCode> {
  learnAtOnce();
  const interrupts = watchInterrupts();
  const prompt = command.prompt === '-' ? await readAll(io.stdin) : command.prompt;
  const images = await readImages(command.images, io.cwd);
  if (prompt.trim() === '' && images.length === 0) throw new AppError('bad_argument', 'The prompt is empty.');
  const core = await createCore(coreOptions(command, io));
  try {
    core.startNotices.forEach((text) => notice(io, text));
    const folder = path.resolve(io.cwd, command.project);
    core.context.expectMessage(folder);
    await core.openProject(folder);
    if (interrupts.signal.aborted) return EXIT.interrupted;
    const finished = await oneTurn(core, command, { text: prompt, images }, io, interrupts.signal);
    return interrupts.signal.aborted || !finished ? EXIT.interrupted : exitCodeOf(finished.reason);
  } finally {
    await core.close();
    interrupts.release();
  }
}

function coreOptions(command: RunCommand, io: Io): CoreOptions {
  const { approve, maxSteps } = command;
  const asks = approve === 'ask' && isInteractive(io);
  return {
    ...baseCoreOptions(command, cliHostPort, io),
    flag: approve === 'ask' ? (asks ? 'dialog' : 'none') : approve,
    attended: isInteractive(io),
    ...(approve === 'all' ? { confinement: 'required' } : {}),
    ...(maxSteps === null ? {} : { maxSteps }),
  };
}

/** The session to work in: a new one, or the named one with agent, mode and model changed where flags say so. */
function sessionOf(core: Core, command: RunCommand): SessionId {
  const { session, mode, agent, baseUrl } = command;
  const model = baseUrl === null ? command.model : null;
  if (session === null) return core.sessions.create({ mode: mode ?? 'agent', model, agent }).id;
  const { id } = core.sessions.get(session);
  core.sessions.configure(id, {
    ...(mode === null ? {} : { mode }),
    ...(agent === null ? {} : { agent }),
    ...(model === null ? {} : { model }),
  });
  return id;
}

/** Runs the turn to its end; null when it was interrupted and did not end in time. */
async function oneTurn(
  core: Core,
  command: RunCommand,
  said: { text: string; images: GivenImage[] },
  io: Io,
  interrupted: AbortSignal,
): Promise<Finished | null> {
  const sessionId = sessionOf(core, command);
  const report = command.json ? jsonReporter(io) : readableReporter(io);
  const person = isInteractive(io) ? askAtTerminal(core, io) : answerForNobody(core);
  let unsubscribe = () => {};
  let turnId: string | null = null;
  const finished = new Promise<Finished>((resolve) => {
    unsubscribe = core.subscribe(sessionId, (event) => {
      report(event);
      person.onEvent(event);
      if (event.type === 'turn.finished' && event.turnId === turnId) resolve(event);
    });
  });
  try {
    const facts = await core.context.turnFacts(sessionId, []);
    ({ turnId } = core.turns.start({ sessionId, ...said, facts }));
    return await Promise.race([finished, stoppedBy(core, sessionId, interrupted, io), refused(core)]);
  } finally {
    person.close();
    unsubscribe();
  }
}

/** Rejects when commands can't be confined although they must be: the turn does not go on then. */
async function refused(core: Core): Promise<never> {
  await core.confined();
  return await new Promise<never>(() => undefined);
}

/** Stops the turn on interruption; resolves only if the turn then fails to end by itself. */
function stoppedBy(core: Core, sessionId: SessionId, interrupted: AbortSignal, io: Io): Promise<null> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      notice(io, 'stopping …');
      setTimeout(() => resolve(null), STOP_LIMIT_MS).unref();
      core.turns.stop(sessionId).catch(reject);
    };
    if (interrupted.aborted) stop();
    else interrupted.addEventListener('abort', stop, { once: true });
  });
}
