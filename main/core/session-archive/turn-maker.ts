import type { ImageFacts } from '../../../shared/image/image-facts';
import type { CallId, MessageId } from '../../../shared/model/ids';
import type { Mode } from '../../../shared/model/mode';
import type { TurnEventPayload } from '../../../shared/model/turn-event';
import { inspectPart } from '../image/image-part';
import type { HistoryCall, ModelMessage } from '../model/port';
import { isHarnessText, saidText } from '../store/said-text';
import type { ArchivedEvent, ArchivedMessage } from '../store/archive-store';

/** A message of another tool's log, with what the log says beyond the message. */
export interface LoggedMessage {
  message: ModelMessage;
  /** Epoch milliseconds. */
  at: number;
  /** A tool result that tells of a failure. */
  failed?: boolean;
}

export interface MadeTurns {
  events: ArchivedEvent[];
  message: ArchivedMessage;
}

export interface TurnMakerOptions {
  newId(): string;
  mode: Mode;
  /** Who answered, for people: the tool's name. */
  agent: string;
}

const LABEL_CHARS = 100;

/** What a person would want to see of a call: its name and the first thing it was given. */
function labelOf({ name, arguments: text }: HistoryCall): string {
  let first = '';
  try {
    const value = Object.values(JSON.parse(text) as Record<string, unknown>).find(
      (each) => typeof each === 'string' && each.trim() !== '',
    );
    first = typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() : '';
  } catch {
    // The name alone is a label too.
  }
  const label = first === '' ? name : `${name} ${first}`;
  return label.length > LABEL_CHARS ? `${label.slice(0, LABEL_CHARS).toWellFormed()}…` : label;
}

function argsOf({ arguments: text }: HistoryCall): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return {};
  }
}

/** Pictures of a message as its event names them: all or none, since each is named by its place. */
function shownImages(message: ModelMessage): { images?: ImageFacts[] } {
  const found = (message.role === 'user' ? (message.images ?? []) : []).map(inspectPart);
  const facts = found.flatMap((each) => {
    if (!each.ok) return [];
    const { mime, width, height, bytes } = each;
    return [{ mime, width, height, bytes }];
  });
  return facts.length > 0 && facts.length === found.length ? { images: facts } : {};
}

interface OpenTurn {
  id: string;
  startedAt: number;
  lastAt: number;
  step: number;
  stepId: MessageId | null;
  stepAt: number;
  text: string;
  calls: Map<string, string>;
}

/**
 * Makes the events of a session from its messages alone, as far as they can tell: every message of the user begins a
 * turn (what the harness said in the user's place does not), every answer is a step, every result ends its call. Feed it in order, then `end`.
 */
export class TurnMaker {
  private turn: OpenTurn | null = null;

  constructor(private readonly options: TurnMakerOptions) {}

  /** The message as it is stored, and the events that show it. */
  add(logged: LoggedMessage, id: string = this.options.newId()): MadeTurns {
    const { message, at } = logged;
    const events: ArchivedEvent[] = [];
    const said = message.role === 'user' ? saidText(message.content) : '';
    // Pictures that a tool read come with a note of the harness.
    const hasImages =
      message.role === 'user' && (message.images?.length ?? 0) > 0 && !isHarnessText(message.content);
    if (said.trim() !== '' || hasImages) {
      events.push(...this.end());
      events.push(...this.begin(at, id, said, 'message', shownImages(message)));
    } else if (!this.turn) events.push(...this.begin(at, id, '', 'continue'));
    const turn = this.turn as OpenTurn;
    turn.lastAt = Math.max(turn.lastAt, at);
    if (message.role === 'assistant') events.push(...this.step(turn, message, id, at));
    if (message.role === 'tool') events.push(...this.result(turn, logged, message));
    return { events, message: { id, turnId: turn.id, at, message } };
  }

  /** Ends what is open; nothing may follow for this turn. */
  end(): ArchivedEvent[] {
    const turn = this.turn;
    if (!turn) return [];
    this.turn = null;
    const { lastAt, startedAt, step, text } = turn;
    return [
      ...this.endStep(turn),
      event(turn, lastAt, {
        type: 'turn.finished',
        reason: 'done',
        steps: step,
        text,
        durationMs: Math.max(0, lastAt - startedAt),
      }),
    ];
  }

  private begin(
    at: number,
    messageId: string,
    text: string,
    kind: 'message' | 'continue',
    shown: { images?: ImageFacts[] } = {},
  ): ArchivedEvent[] {
    const { newId, mode, agent } = this.options;
    const calls = new Map<string, string>();
    this.turn = {
      ...{ id: newId(), startedAt: at, lastAt: at, step: 0 },
      ...{ stepId: null, stepAt: at, text: '', calls },
    };
    const started = {
      type: 'turn.started',
      messageId: messageId as MessageId,
      text,
      mode,
      agent,
      kind,
      ...shown,
    } as const;
    return [event(this.turn, at, started)];
  }

  private step(
    turn: OpenTurn,
    message: Extract<ModelMessage, { role: 'assistant' }>,
    id: string,
    at: number,
  ): ArchivedEvent[] {
    const events = this.endStep(turn);
    turn.step += 1;
    const messageId = id as MessageId;
    [turn.stepId, turn.stepAt, turn.text] = [messageId, at, message.content];
    const add = (payload: TurnEventPayload): void => void events.push(event(turn, at, payload));
    add({ type: 'step.started', step: turn.step, maxSteps: 0, messageId });
    const { reasoning = '', content, calls = [] } = message;
    if (reasoning !== '') add({ type: 'reasoning.delta', messageId, text: reasoning });
    if (content !== '') add({ type: 'text.delta', messageId, text: content });
    for (const call of calls) {
      turn.calls.set(call.id, call.name);
      const callId = call.id.slice(0, 128) as CallId;
      add({
        type: 'call.requested',
        callId,
        messageId,
        tool: call.name,
        args: argsOf(call),
        label: labelOf(call),
      });
    }
    return events;
  }

  private result(
    turn: OpenTurn,
    { at, failed = false }: LoggedMessage,
    message: Extract<ModelMessage, { role: 'tool' }>,
  ): ArchivedEvent[] {
    if (!turn.calls.delete(message.callId)) return [];
    const text = message.content;
    const callId = message.callId.slice(0, 128) as CallId;
    return [
      event(turn, at, {
        type: 'call.state',
        callId,
        tool: message.name,
        state: failed ? 'error' : 'success',
        result: { text },
        ...(failed
          ? { error: { code: 'io_failed', message: text.slice(0, 300).toWellFormed(), audience: 'user' } }
          : {}),
      }),
    ];
  }

  /** Calls that nothing answered were never run, as far as the log tells. */
  private endStep(turn: OpenTurn): ArchivedEvent[] {
    const { stepId, calls, lastAt, stepAt } = turn;
    if (stepId === null) return [];
    turn.stepId = null;
    const events = [...calls].map(([callId, tool]) =>
      event(turn, lastAt, {
        type: 'call.state',
        callId: callId.slice(0, 128) as CallId,
        tool,
        state: 'cancelled',
      }),
    );
    calls.clear();
    events.push(
      event(turn, lastAt, {
        type: 'step.finished',
        step: turn.step,
        messageId: stepId,
        durationMs: Math.max(0, lastAt - stepAt),
        kind: turn.text.trim() === '' ? 'calls' : 'answer',
      }),
    );
    return events;
  }
}

const event = (turn: OpenTurn, at: number, payload: TurnEventPayload): ArchivedEvent => ({
  turnId: turn.id,
  at,
  payload,
});
