import { z } from 'zod';
import { AppError } from '../../../../shared/error';
import { TodoStatus, type TodoItem } from '../../../../shared/model/todo';
import { defineTool } from '../define';
import { ALL_MODES } from './lib/access';

const MAX_ITEMS = 256;

const Item = z.object({
  id: z.string().min(1).max(64),
  content: z.string().max(4000).optional(),
  status: TodoStatus.optional(),
});
type Item = z.output<typeof Item>;

const Action = z.enum(['read', 'create', 'update', 'merge', 'delete', 'summary']);
type Action = z.output<typeof Action>;

/** The list after an action. @throws AppError `bad_argument` for unknown ids, missing content, a broken rule */
export function nextTodos(list: readonly TodoItem[], action: Action, items: readonly Item[]): TodoItem[] {
  const next = apply(list, action, items);
  if (next.length > MAX_ITEMS)
    throw refuse(`The list may have ${MAX_ITEMS} items; this would make ${next.length}.`);
  const ids = new Set(next.map((item) => item.id));
  if (ids.size !== next.length) throw refuse('Two items have the same id.');
  const active = next.filter((item) => item.status === 'in_progress').map((item) => item.id);
  if (active.length > 1)
    throw refuse(`Only one item may be in_progress; these would be: ${active.join(', ')}.`);
  return next;
}

function apply(list: readonly TodoItem[], action: Action, items: readonly Item[]): TodoItem[] {
  switch (action) {
    case 'read':
    case 'summary':
      return [...list];
    case 'create':
      return items.map(created);
    case 'update':
      requireKnown(list, items);
      return list.map((item) => changed(item, items));
    case 'merge': {
      const known = new Set(list.map((item) => item.id));
      return [
        ...list.map((item) => changed(item, items)),
        ...items.filter((item) => !known.has(item.id)).map(created),
      ];
    }
    case 'delete': {
      requireKnown(list, items);
      const gone = new Set(items.map((item) => item.id));
      return list.filter((item) => !gone.has(item.id));
    }
  }
}

function created(item: Item): TodoItem {
  if (item.content === undefined || item.content === '')
    throw refuse(`New item \`${item.id}\` needs content.`);
  return { id: item.id, content: item.content, status: item.status ?? 'pending' };
}

function changed(item: TodoItem, items: readonly Item[]): TodoItem {
  const change = items.findLast(({ id }) => id === item.id);
  if (change === undefined) return item;
  return { id: item.id, content: change.content ?? item.content, status: change.status ?? item.status };
}

function requireKnown(list: readonly TodoItem[], items: readonly Item[]): void {
  const unknown = items.filter(({ id }) => list.every((item) => item.id !== id)).map(({ id }) => id);
  if (unknown.length > 0) throw refuse(`There is no item ${unknown.map((id) => `\`${id}\``).join(', ')}.`);
}

const refuse = (message: string): AppError =>
  new AppError('bad_argument', message, { audience: 'model', hint: 'The list is unchanged.' });

const MARKS = { pending: '[ ]', in_progress: '[>]', completed: '[x]', cancelled: '[-]' } as const;

function summary(list: readonly TodoItem[]): string {
  const count = (status: TodoStatus): number => list.filter((item) => item.status === status).length;
  return `${list.length} items: ${count('completed')} completed, ${count('in_progress')} in progress, ${count('pending')} pending, ${count('cancelled')} cancelled.`;
}

export const todo = defineTool({
  name: 'todo',
  effect: 'interact',
  describe:
    'Keep a task list for work of several steps. create replaces the list, merge adds or changes, update changes, ' +
    'delete removes by id. At most one item in_progress.',
  input: z.object({ action: Action, items: z.array(Item).max(MAX_ITEMS).optional() }),
  modes: ALL_MODES,
  subject: () => ({ paths: [] }),
  label: ({ action }) =>
    action === 'read' || action === 'summary' ? 'Looked at the task list' : 'Updated the task list',
  run: async ({ action, items }, { todos }) => {
    const writes = action !== 'read' && action !== 'summary';
    if (writes && (items ?? []).length === 0 && action !== 'create') throw refuse(`${action} needs items.`);
    const list = nextTodos(todos.read(), action, items ?? []);
    if (writes) await todos.replace(list);
    if (action === 'summary') return { text: summary(list) };
    const lines = list.map((item) => `${MARKS[item.status]} ${item.id}: ${item.content}`);
    return { text: lines.length === 0 ? '(no items)' : [...lines, summary(list)].join('\n') };
  },
});
