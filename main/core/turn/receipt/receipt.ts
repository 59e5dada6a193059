import type { Receipt, ReceiptCommand } from '../../../../shared/model/receipt';
import type { TodoItem } from '../../../../shared/model/todo';
import type { RanCommand, TurnEvidence } from './evidence';
import { judgeClaims } from './judge-claims';

const withoutPlace = ({ editsBefore: _editsBefore, ...command }: RanCommand): ReceiptCommand => command;

const isOpen = (item: TodoItem): boolean => item.status === 'pending' || item.status === 'in_progress';

/**
 * The receipt of a turn (evidence receipt): what its events show, and which statements of the answer they don't. Pure.
 *
 * @param answer the final text as shown
 * @param todos the to-do list at the turn's end
 * @returns null when there is nothing to tell
 */
export function receiptOf(
  evidence: TurnEvidence,
  answer: string,
  todos: readonly TodoItem[],
): Receipt | null {
  const { files, commands, denied, editCount } = evidence;
  const after = commands.filter(({ editsBefore }) => editsBefore >= editCount);
  const before = commands.filter(({ editsBefore }) => editsBefore < editCount);
  const claims = judgeClaims(answer, evidence);
  const openTodos = todos.filter(isOpen);
  const told = [files, commands, denied, claims.filter(({ supported }) => !supported)];
  // A list that is left from an earlier turn is nothing that this one did.
  const worksOnTodos = evidence.tools.has('todo') && openTodos.length > 0;
  if (!worksOnTodos && told.every((list) => list.length === 0)) return null;
  return {
    version: 1,
    files,
    commandsAfterLastEdit: after.map(withoutPlace),
    commandsBefore: before.map(withoutPlace),
    denied,
    openTodos,
    claims,
  };
}
