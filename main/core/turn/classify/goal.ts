import type { Classification, GoalKind } from '../../../../shared/model/classification';
import type { RequestText } from './request-text';
import {
  ABOUT_AGENT,
  AGREEMENT,
  CHANGE_STEM,
  CHANGE_VERB,
  COMMAND_LINE,
  EXPLAIN_STEM,
  EXPLAIN_VERB,
  GENERAL_QUESTION,
  GREETING,
  HYPOTHETICAL,
  LOOK_STEM,
  LOOK_VERB,
  NO_CHANGE,
  POINTS_HERE,
  POLITE,
  PRAISE,
  QUESTION_START,
  QUESTION_STEM,
  REFERS_BACK,
  RESEARCH,
  SHELL,
  SHELL_STEM,
  WISH,
} from './vocabulary';

/** What a request wants, and how sure that is. */
export interface Goal {
  kind: GoalKind;
  actionable: boolean;
  chatOnly: boolean;
  confidence: number;
}

/** What was said before in the session. */
export interface Before {
  previous: Pick<Classification, 'goalKind'> | null;
}

type Lead = 'change' | 'look' | 'explain' | 'shell' | 'question' | null;

const goal = (kind: GoalKind, actionable: boolean, confidence: number, chatOnly = false): Goal => ({
  kind,
  actionable,
  chatOnly,
  confidence,
});

/** Operations on branches and the like change no file. */
const REPOSITORY_TASK =
  /^(?:please )?(?:create|make|add|open|write|delete|drop|merge|set) (?:an? |the |my |this )*(?:new )?(?:git )?(?:branch|tag|commit|pull request|pr|release|stash)\b/iu;
/** Things that are made, asked for by their name alone ("tests for money.ts pls"). */
const PRODUCT =
  /^(?:(?:unit|e2e|integration|more|some|a few|better|new) )*(?:tests?|docs|documentation|comments?|types|typings|readme|dark mode) (?:for|of|in|on)\b/iu;
/** Run over files, these leave them different. */
const FORMATTER =
  /\b(?:prettier|black|gofmt|rustfmt|isort|autopep8|clang-format|--fix|--write)\b(?!.*--check)/iu;
const FILLER =
  /^(?:(?:and|then|also|now|but|so|just|finally|next|no|ok(?:ay)?|looks good|und|dann|auch|jetzt|y|et)[,\s]+)+/iu;

const startsWith = (pattern: RegExp, clause: string): boolean => {
  const found = pattern.exec(clause);
  return found !== null && found.index === 0;
};

/** What a clause begins with; the verb of an order comes first in most languages. */
function leadOf(clause: string): Lead {
  const bare = clause.replace(FILLER, '').replace(POLITE, '').replace(FILLER, '');
  if (startsWith(QUESTION_START, bare)) return 'question';
  if (REPOSITORY_TASK.test(bare)) return 'shell';
  if (startsWith(SHELL, bare) && !startsWith(CHANGE_VERB, bare))
    return FORMATTER.test(bare) ? 'change' : 'shell';
  if (PRODUCT.test(bare)) return 'change';
  if (startsWith(EXPLAIN_VERB, bare)) return 'explain';
  if (startsWith(CHANGE_VERB, bare)) return 'change';
  if (startsWith(LOOK_VERB, bare)) return 'look';
  if (QUESTION_STEM.test(bare) && !CHANGE_STEM.test(bare)) return 'question';
  if (CHANGE_STEM.test(bare)) return 'change';
  if (SHELL_STEM.test(bare)) return 'shell';
  if (EXPLAIN_STEM.test(bare)) return 'explain';
  return LOOK_STEM.test(bare) ? 'look' : null;
}

const clausesOf = (prose: string): string[] =>
  prose
    .split(
      /[.!;\n]+\s*|\?\s*|:\s+|,\s+(?=please|pls|then|and )|\s+and (?:then )?(?=\w+ )|,\s+|\s+und\s+|\s+et\s+|\s+y\s+/iu,
    )
    .map((clause) => clause.trim())
    .filter((clause) => clause !== '');

/** Small talk and talk about the talk. */
function talk({ prose }: RequestText): Goal | null {
  if (GREETING.test(prose)) return goal('meta', false, 0.95, true);
  if (PRAISE.test(prose)) return goal('meta', false, 0.9, true);
  return ABOUT_AGENT.test(prose) ? goal('meta', false, 0.9, true) : null;
}

/** "Yes" to what was proposed: a change is made then, whatever the talk was about before. */
function agreement({ prose }: RequestText, { previous }: Before): Goal | null {
  if (previous === null || !AGREEMENT.test(prose)) return null;
  return goal('code_change', true, previous.goalKind === 'code_change' ? 0.75 : 0.6);
}

function pasted({ prose, hasTrace, wordCount }: RequestText): Goal | null {
  if (!hasTrace) return null;
  if (wordCount < 3)
    return CHANGE_VERB.test(prose) ? goal('code_change', true, 0.85) : goal('code_change', true, 0.65);
  return null;
}

/** The user says that nothing is to be changed, or asks how it could be. */
function plan({ prose }: RequestText, leads: readonly Lead[]): Goal | null {
  const orders =
    leads[0] !== 'question' && /^(?:please )?(?:make|write|create|draft) (?:me )?a plan\b/iu.test(prose);
  if (NO_CHANGE.test(prose)) return goal('analysis', leads[0] === 'look', 0.85);
  return HYPOTHETICAL.test(prose) && !POLITE.test(prose) ? goal('analysis', orders, 0.8) : null;
}

function research({ prose, files, hasTrace }: RequestText): Goal | null {
  if (RESEARCH.test(prose)) {
    const orders = /^(?:please )?(?:search|google|look up|find|compare|suche?|cherche)\b/iu.test(prose);
    return goal('research', orders, 0.8);
  }
  const general = GENERAL_QUESTION.test(prose) && !POINTS_HERE.test(prose) && files.length === 0 && !hasTrace;
  return general ? goal('research', false, 0.7, true) : null;
}

function byLead({ prose, hasTrace }: RequestText, leads: readonly Lead[]): Goal | null {
  // "… and is held back" is no question: one begins the request, or ends it with its sign.
  const counted = leads.filter((lead, at) => lead !== 'question' || at === 0 || /[?？]/.test(prose));
  const first = counted.find((lead) => lead !== null) ?? null;
  const asks = first === 'question' || (/[?？]\s*$/.test(prose) && !POLITE.test(prose) && !WISH.test(prose));
  const later = leads.slice(leads.indexOf(first) + 1);
  if (leads.includes('change') && !(asks && first === 'question' && !later.includes('change'))) {
    return goal('code_change', true, first === 'change' ? 0.9 : 0.75);
  }
  if (leads.includes('shell')) return goal('analysis', true, 0.85);
  if (asks) return goal('analysis', false, hasTrace ? 0.75 : 0.85);
  if (first === 'look') return goal('analysis', true, 0.85);
  return first === 'explain' ? goal('analysis', false, 0.85) : null;
}

/** From this many words on a plain statement says enough to be acted upon. */
const STATEMENT_WORDS = 4;

function byContent({ prose, wordCount }: RequestText, { previous }: Before): Goal {
  if (WISH.test(prose)) return goal('code_change', true, 0.75);
  if (previous !== null && REFERS_BACK.test(prose)) {
    return goal(previous.goalKind, previous.goalKind === 'code_change', 0.65);
  }
  if (CHANGE_VERB.test(prose) || CHANGE_STEM.test(prose)) return goal('code_change', true, 0.65);
  if (SHELL.test(prose)) return goal('analysis', true, 0.6);
  if (LOOK_VERB.test(prose)) return goal('analysis', true, 0.55);
  // A remark on work that goes on is most likely meant to change it.
  if (previous?.goalKind === 'code_change') return goal('code_change', true, 0.5);
  // What is said of a program without asking anything is mostly a fault or a wish.
  return wordCount >= STATEMENT_WORDS ? goal('code_change', true, 0.5) : goal('analysis', false, 0.4);
}

export function goalOf(request: RequestText, before: Before): Goal {
  if (COMMAND_LINE.test(request.prose)) return goal('analysis', true, 0.9);
  const leads = clausesOf(request.prose).map(leadOf);
  return (
    talk(request) ??
    agreement(request, before) ??
    pasted(request) ??
    plan(request, leads) ??
    research(request) ??
    byLead(request, leads) ??
    byContent(request, before)
  );
}
