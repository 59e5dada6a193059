import type { ItemView, SessionView } from '../../../shared/model/session-view';
import { endWords } from './end-words';
import { foldSummary, foldTroubles, isFinal } from './fold-summary';
import { undoWords } from './undo-words';

const withoutCode = (text: string): string => text.replaceAll('`', '');

/**
 * One sentence for screen readers about where the session is: it changes once a step, never with a token, and repeats no
 * answer.
 */
export function spokenState(view: SessionView): string {
  const [approval] = view.approvals;
  if (approval) return `Approval needed: ${approval.title}`;
  const [question] = view.questions;
  if (question) return `The agent asks: ${question.question}`;
  const last = view.items.at(-1);
  return last ? spokenItem(last) : '';
}

function spokenItem(item: ItemView): string {
  switch (item.kind) {
    case 'user':
      return item.interjection ? 'Your message goes to the running turn.' : 'Message sent.';
    case 'notice':
      return item.text;
    case 'end':
      return item.reason === 'done' ? 'The agent has finished.' : endWords(item).title;
    case 'aside':
      return item.answer ? 'Side question answered.' : 'Side question asked.';
    case 'undo':
      return withoutCode(undoWords(item.undo));
    case 'step':
      return spokenStep(item);
  }
}

function spokenStep(step: Extract<ItemView, { kind: 'step' }>): string {
  const settled = step.calls.filter(isFinal);
  if (settled.length > 0 && settled.length === step.calls.length)
    return `${[withoutCode(foldSummary(step.calls)), foldTroubles(step.calls)].filter(Boolean).join(', ')}.`;
  if (step.calls.length > 0) return `Step ${step.step}: working.`;
  if (step.status === 'streaming')
    return `Step ${step.step}: ${step.text === '' ? 'thinking' : 'answering'}.`;
  return `Step ${step.step} finished.`;
}
