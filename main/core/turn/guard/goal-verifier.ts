import type { TodoItem } from '../../../../shared/model/todo';
import { COMPLETION_REVIEWS } from '../../limits';
import type { TurnEvidence } from '../receipt/evidence';
import { judgeClaims } from '../receipt/judge-claims';
import { holdsFakeResult } from '../text-calls';
import type { Nudge } from './guard';

export interface GoalFacts {
  /** The user asked for a change, and the agent can make one. */
  wantsChange(): boolean;
  evidence: TurnEvidence;
  /** The to-do list, or [] where open items are no reason. */
  todos(): readonly TodoItem[];
}

interface Doubt {
  kind: 'no_change' | 'open_todos' | 'fake_result';
  /** Goes on "Not accepted: …". */
  why: string;
  /** For the user, when it is accepted all the same. */
  warning: string;
}

const MOST_NAMED = 5;

/**
 * Looks at attempt_completion before it counts (H6): a change that was asked for must have been made, open to-do items
 * closed, and results must come from tools. Sent back at most twice, then accepted with a warning that the user sees.
 */
export class GoalVerifier {
  private sentBack = 0;

  constructor(private readonly facts: GoalFacts) {}

  /**
   * @param last nothing can be done about it any more (the last steps of a turn)
   * @returns why it is sent back, for the model, and what to tell the user; null when all is well
   */
  review(result: string, last: boolean): { sendBack?: string; tell: Nudge } | null {
    const doubt = this.doubt(result);
    if (doubt === null) return null;
    if (last || this.sentBack >= COMPLETION_REVIEWS) {
      return { tell: { kind: `goal_${doubt.kind}`, tone: 'warn', notice: doubt.warning, reminder: '' } };
    }
    this.sentBack += 1;
    const notice = `${doubt.warning} It was sent back.`;
    return {
      sendBack: `Not accepted: ${doubt.why}`,
      tell: { kind: 'goal_sent_back', notice, reminder: '' },
    };
  }

  private doubt(result: string): Doubt | null {
    if (holdsFakeResult(result)) return FAKE_RESULT;
    return this.noChange(result) ?? this.openTodos();
  }

  private noChange(result: string): Doubt | null {
    const { wantsChange, evidence } = this.facts;
    // What the user or a rule refused can't be asked for again.
    if (!wantsChange() || evidence.mayHaveChanged || evidence.wasDenied) return null;
    const claim = judgeClaims(result, evidence).find(
      ({ kind, supported }) => kind === 'edited' && !supported,
    );
    const said = claim === undefined ? '' : ` Your text says otherwise ("${claim.text}").`;
    return {
      kind: 'no_change',
      why: `the user asked for a change, and no edit succeeded in this turn.${said} Make the change and check it. If there is really nothing to change, call attempt_completion again and say why.`,
      warning: 'A change was asked for, but nothing was changed in this turn.',
    };
  }

  private openTodos(): Doubt | null {
    const open = this.facts.todos().filter(({ status }) => status === 'pending' || status === 'in_progress');
    if (open.length === 0) return null;
    const named = open.slice(0, MOST_NAMED).map(({ content }) => `"${content.slice(0, 80)}"`);
    const more = open.length > named.length ? ` and ${open.length - named.length} more` : '';
    const items = open.length === 1 ? 'to-do item is' : 'to-do items are';
    return {
      kind: 'open_todos',
      why: `${open.length} ${items} open: ${named.join(', ')}${more}. Do them, or mark each as completed or cancelled, then finish.`,
      warning: `The agent finished while ${open.length} ${items} open.`,
    };
  }
}

const FAKE_RESULT: Doubt = {
  kind: 'fake_result',
  why: 'it holds a tool result that you wrote yourself. Say only what tools returned.',
  warning: 'The answer holds a tool result that the model wrote itself.',
};
