import type { Classification } from '../../../../shared/model/classification';
import { goalOf, type Before, type Goal } from './goal';
import { readRequest, type RequestText } from './request-text';
import { changeComplexity, editScopeOf, expectsSteps, lookComplexity } from './scope';
import { AGREEMENT, COMMAND_LINE, PRAISE, REFERS_BACK, SHELL, SHELL_STEM } from './vocabulary';

/** Failing checks can only be made to pass by running them. */
const TO_BE_RUN =
  /\b(?:(?:make|get) (?:the |all )?tests? (?:to )?pass|make it green|fails? (?:on|in) ci|failing (?:\w+ )?(?:tests?|errors?|build)|which node version|coverage|between v?\d)\b/iu;

function needsShell({ prose }: RequestText, kind: Goal['kind']): boolean {
  if (kind === 'meta' || kind === 'research') return false;
  return COMMAND_LINE.test(prose) || TO_BE_RUN.test(prose) || SHELL.test(prose) || SHELL_STEM.test(prose);
}

function isFollowUp({ prose, wordCount }: RequestText, { previous }: Before): boolean {
  if (previous === null) return false;
  if (AGREEMENT.test(prose) || PRAISE.test(prose) || REFERS_BACK.test(prose)) return true;
  return wordCount <= 2 || /\b(?:our|the|this) (?:conversation|chat|session)\b/iu.test(prose);
}

/**
 * Classifies a request by its words alone (H14). Pure and quick (well under a millisecond); `confidence` says how far the
 * words decide.
 *
 * @param before the classification of the message before this one; null in a new session
 */
export function classifyByWords(text: string, before: Before = { previous: null }): Classification {
  const request = readRequest(text);
  const goal = goalOf(request, before);
  const changes = goal.kind === 'code_change';
  const editScope = changes ? editScopeOf(request) : 'none';
  const complexity = goal.chatOnly
    ? 'simple'
    : changes
      ? changeComplexity(request, editScope)
      : lookComplexity(request);
  return {
    goalKind: goal.kind,
    isActionable: goal.actionable,
    editScope,
    complexity,
    needsShell: needsShell(request, goal.kind),
    chatOnly: goal.chatOnly,
    isFollowUp: isFollowUp(request, before),
    expectsMultiStep: changes && expectsSteps(request, editScope, complexity),
    needsFlagship: complexity === 'complex',
    confidence: goal.confidence,
  };
}
