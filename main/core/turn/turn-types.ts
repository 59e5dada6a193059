import type { ErrorShape } from '../../../shared/error';
import type { Mode } from '../../../shared/model/mode';
import type { TurnEndReason, TurnEventPayload } from '../../../shared/model/turn-event';
import type { ContextPort } from '../context/context-port';
import type { ContextState } from '../context/context-state';
import type { ContextEntry } from '../context/entry';
import type { CompactionRecord } from '../context/records';
import type { ModelDirectory, ModelMessage, ModelWish, ResolvedModel, ToolSpec } from '../model/port';
import type { Interjection } from './interjections';
import type { PlanPort, ReadLedger, TodoPort, ToolRunner } from '../tool/types';

/** A message that is to be stored together with the events of the same moment. */
export interface NewMessage {
  id: string;
  message: ModelMessage;
}

/** What the loop yields: events and messages that belong into one transaction, stored before they are shown. */
export interface TurnRecord {
  payloads: TurnEventPayload[];
  messages?: NewMessage[];
  /**
   * Nothing outside hangs on this record yet, so it may be stored a moment later (at most DELTA_BATCH_MS), together with
   * what follows. It is shown when it is stored. Keeps disk writes out of the way between a read and the next request.
   */
  deferrable?: boolean;
}

/** Why and with what a turn ended; the session runner turns it into `turn.finished`. */
export interface TurnEnd {
  reason: TurnEndReason;
  steps: number;
  text: string;
  error?: ErrorShape;
  /** Why a guard ended it, as a sentence for the user. */
  why?: string;
}

/** The conversation of one session as the model will see it; appending is the only change a turn makes. */
export interface History {
  readonly messages: readonly ModelMessage[];
  /** The same messages with their stored ids. */
  readonly entries: readonly ContextEntry[];
  append(message: ModelMessage, id?: string): NewMessage;
}

export interface Turn {
  readonly sessionId: string;
  readonly turnId: string;
  /** Name of the agent for people ("Agent", "Plan"). */
  readonly agent: string;
  readonly maxSteps: number;
  /** What is asked for and how it may be judged; absent in turns that are played from older recordings. */
  readonly request?: TurnRequest;
}

/** The request a turn works on, with the settings of that moment. */
export interface TurnRequest {
  /** The user's words; of a turn that goes on, those of the message it goes on from. Cut to what is read of it. */
  text: string;
  /** The message before; null when there is none. */
  previousText: string | null;
  kind: 'message' | 'retry' | 'continue';
  /** H14 is switched on. */
  classify: boolean;
  /** Whether a model may be asked when words don't decide. */
  askModel: 'auto' | 'always' | 'never';
  /** Open to-do items hold a completion back (H6). */
  todoGate: boolean;
}

/** Everything a turn needs from its session and project. Mode and model are asked anew at each step. */
export interface LoopDeps {
  readonly signal: AbortSignal;
  readonly history: History;
  readonly compaction: ContextState;
  readonly context: ContextPort;
  readonly models: ModelDirectory;
  readonly runner: ToolRunner;
  readonly ledger: ReadLedger;
  readonly todos: TodoPort;
  readonly plans: PlanPort;
  mode(): Mode;
  /** @param wish what kind of model the step would like; counts where the user left the choice open */
  resolveModel(wish?: ModelWish): Promise<ResolvedModel>;
  /** A second model for summaries, asked when the first one fails; null when none is chosen. */
  resolveSecondModel(): Promise<ResolvedModel | null>;
  /** @param compaction the one that stands: after a full one the prompt is a shorter one (X10) */
  prefix(mode: Mode, compaction: CompactionRecord | null): Promise<ModelMessage[]>;
  toolSpecs(mode: Mode): ToolSpec[];
  /** Why the turn's agent may not call this tool; null when it may. Asked at dispatch, whatever the list offers. */
  refusal?(tool: string): string | null;
  /** Messages the user sent since the last call of this; empties the queue. */
  takeInterjections(): Interjection[];
  hasInterjections(): boolean;
  newId(): string;
  /** Milliseconds on a clock that never jumps. */
  now(): number;
}
