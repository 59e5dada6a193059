import type { Classification } from '../../../shared/model/classification';
import { TEXT_CALL_CORRECTIONS } from '../limits';
import type { ModelWish, ReplyCall, ToolChoice } from '../model/port';
import type { CallOutcome } from '../tool/types';
import { classifyTurn } from './classify/classify-turn';
import { needsEvidence } from './classify/evidence-need';
import { classifyByWords } from './classify/heuristics';
import { wishFor } from './classify/route';
import { evidenceRecovery } from './guard/evidence-recovery';
import type { Nudge } from './guard/guard';
import { GuardSet } from './guard/guard-set';
import { reminderMessage } from './guard/reminder';
import { callFacts } from './guard/step-facts';
import type { StepReply } from './model-step';
import type { TurnEvidence } from './receipt/evidence';
import { FAKE_RESULT_CORRECTION, holdsFakeResult, holdsTextCall, TEXT_CALL_CORRECTION } from './text-calls';
import type { LoopDeps, Turn, TurnRecord } from './turn-types';

/** Tools that change files; an agent without any of them can't be held to a change. */
const EDIT_TOOLS = new Set(['edit_file', 'write_file', 'apply_patch']);
/** From this confidence on the agent is held to what the user is taken to want. */
const HELD_TO = 0.6;

/** Words of the user that take a wish for a change back. */
const TAKEN_BACK =
  /\b(?:(?:don't|do not|dont|no need to) (?:change|edit|touch|fix|modify|implement)|(?:just|only) (?:explain|tell|look)|leave (?:it|everything) as it is|never ?mind|stop editing)\b/i;

const TEXT_CALL: Nudge = {
  kind: 'text_call',
  notice: 'The model wrote a tool call as plain text; it was asked to call the tool.',
  reminder: TEXT_CALL_CORRECTION,
};
const FAKE_RESULT: Nudge = {
  kind: 'fake_result',
  tone: 'warn',
  notice: 'The model wrote a tool result itself. It counts for nothing; the model was told.',
  reminder: FAKE_RESULT_CORRECTION,
};

/** Everything that steers a turn besides the model and the user: what it is about, its guards, and what ends it. */
export class TurnHooks {
  /** Why a guard ends the turn; null while none does. */
  stop: string | null = null;
  private goal: Classification | null = null;
  private takenBack = false;
  private textCalls = 0;
  private fakeResults = 0;
  private toolErrors = 0;
  private readonly guards: GuardSet;

  constructor(
    private readonly turn: Turn,
    private readonly deps: LoopDeps,
    private readonly evidence: TurnEvidence,
  ) {
    this.guards = new GuardSet({
      maxSteps: turn.maxSteps,
      canClose: this.offers((name) => name === 'attempt_completion'),
      wantsChange: () => this.wantsChange(),
      evidence,
      todos: () => (turn.request?.todoGate === true && deps.mode() === 'agent' ? deps.todos.read() : []),
    });
  }

  async *begin(): AsyncGenerator<TurnRecord, void> {
    this.goal = yield* classifyTurn(this.turn.request, this.deps);
  }

  /** What kind of model the coming step would like (H14). */
  wish(): ModelWish {
    return wishFor(this.goal, this.toolErrors);
  }

  /** `required` on the first step of what is to be done (H8), attempt_completion at the end (H5), else free. */
  toolChoice(step: number): ToolChoice {
    if (this.guards.isClosing(step)) return { name: 'attempt_completion' };
    const { kind } = this.turn.request ?? {};
    return step === 1 && kind !== 'continue' && this.goal?.isActionable === true ? 'required' : 'auto';
  }

  /** The user spoke while the turn ran: a change may be wanted now, or no longer. */
  heard(text: string): void {
    if (TAKEN_BACK.test(text)) this.takenBack = true;
    const spoken = classifyByWords(text, { previous: this.goal });
    if (this.goal === null || spoken.goalKind !== 'code_change' || spoken.confidence < HELD_TO) return;
    this.takenBack = false;
    this.goal = { ...this.goal, goalKind: 'code_change', confidence: spoken.confidence };
  }

  *before(step: number): Generator<TurnRecord, void> {
    for (const nudge of this.guards.before(step)) yield this.told(nudge);
  }

  readonly refusal = (call: ReplyCall): string | null => this.guards.refusal(call);

  *afterCalls(
    step: number,
    { text, calls }: StepReply,
    outcomes: readonly CallOutcome[],
  ): Generator<TurnRecord, void> {
    const effectOf = (tool: string) => this.deps.runner.effectOf(tool);
    this.toolErrors += outcomes.filter(({ state }) => state === 'error').length;
    yield* this.observe(step, text, callFacts(calls, outcomes, effectOf));
  }

  /** @returns true when the answer is sent back and the turn goes on */
  *afterAnswer(step: number, { text }: StepReply): Generator<TurnRecord, boolean> {
    yield* this.observe(step, text, []);
    const nudge = this.doubt(step, text);
    if (nudge === null) return false;
    yield this.told(nudge);
    return true;
  }

  private *observe(
    step: number,
    text: string,
    calls: Parameters<GuardSet['after']>[0]['calls'],
  ): Generator<TurnRecord, void> {
    const { nudges, warnings, stop } = this.guards.after({ step, text, calls });
    this.stop = stop;
    for (const warning of warnings) yield { payloads: [payloadOf(warning)] };
    if (stop === null) for (const nudge of nudges) yield this.told(nudge);
  }

  private doubt(step: number, text: string): Nudge | null {
    const isTool = (name: string): boolean => this.deps.runner.effectOf(name) !== null;
    if (holdsFakeResult(text)) {
      this.fakeResults += 1;
      return this.fakeResults === 1 ? FAKE_RESULT : null;
    }
    if (holdsTextCall(text, isTool)) {
      this.textCalls += 1;
      return this.textCalls <= TEXT_CALL_CORRECTIONS ? TEXT_CALL : null;
    }
    this.textCalls = 0;
    const { request } = this.turn;
    if (request === undefined || request.kind === 'continue' || this.goal === null) return null;
    return evidenceRecovery(step, needsEvidence(request.text, this.goal), this.evidence.tools.size > 0);
  }

  private wantsChange(): boolean {
    if (this.goal === null || this.takenBack || this.turn.request?.kind === 'continue') return false;
    const asked = this.goal.goalKind === 'code_change' && this.goal.confidence >= HELD_TO;
    return asked && this.deps.mode() === 'agent' && this.offers((name) => EDIT_TOOLS.has(name));
  }

  private offers(fits: (name: string) => boolean): boolean {
    return this.deps.toolSpecs(this.deps.mode()).some(({ name }) => fits(name));
  }

  private told(nudge: Nudge): TurnRecord {
    return {
      payloads: [payloadOf(nudge)],
      messages: [this.deps.history.append(reminderMessage(nudge.reminder))],
    };
  }
}

const payloadOf = ({ kind, notice, tone }: Nudge) => ({
  type: 'nudge' as const,
  kind,
  text: notice,
  ...(tone === undefined ? {} : { tone }),
});
