import type { TodoItem } from '../../../../shared/model/todo';
import { harvestConstraints, type UserText } from './constraints';

/** The user's last request is kept whole up to this; a pasted log of megabytes is not. */
const LAST_REQUEST_CHARS = 12_000;

const BOXES: Record<TodoItem['status'], string> = {
  pending: '[ ]',
  in_progress: '[>]',
  completed: '[x]',
  cancelled: '[-]',
};

export interface KeptFacts {
  /** Messages of the user that the compaction replaces, oldest first. */
  replaced: readonly UserText[];
  /** False when a message of the user stays in the history: then that is the last request. */
  lastRequestIsReplaced: boolean;
  todos: readonly TodoItem[];
  /** Plans with something left to do, word for word. */
  plans?: string;
  /** Rules that came into play by a touched file, as they were put to the model; '' for none. */
  rules: string;
  windowTokens: number;
}

function lastRequest({ replaced, lastRequestIsReplaced }: KeptFacts): string | null {
  const last = lastRequestIsReplaced ? replaced.at(-1) : undefined;
  if (!last) return null;
  const { text } = last;
  if (text.length <= LAST_REQUEST_CHARS) return text;
  const half = LAST_REQUEST_CHARS / 2;
  return `${text.slice(0, half).toWellFormed()}\n[…]\n${text.slice(-half).toWellFormed()}`;
}

/**
 * What goes word for word beside a summary, so that no model can lose it: what the user forbade and demanded, their last
 * request, plans, the to-do list, the rules in play (X6, case-K03, case-K10). '' when there is nothing.
 */
export function keptWords(facts: KeptFacts): string {
  // Five percent of the window, in characters.
  const constraints = harvestConstraints(facts.replaced, Math.min(8_000, facts.windowTokens * 0.2));
  const request = lastRequest(facts);
  const parts: string[] = [];
  if (constraints.length > 0)
    parts.push(
      `What the user demanded and forbade; it still holds:\n${constraints.map((each) => `- ${each}`).join('\n')}`,
    );
  if (request !== null) parts.push(`The user's last request:\n${request}`);
  if (facts.plans) parts.push(facts.plans);
  if (facts.todos.length > 0)
    parts.push(
      `To-do list:\n${facts.todos.map(({ id, status, content }) => `${BOXES[status]} ${id}: ${content}`).join('\n')}`,
    );
  if (facts.rules !== '') parts.push(facts.rules);
  return parts.join('\n\n');
}
