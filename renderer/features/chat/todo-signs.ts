import type { TodoStatus } from '../../../shared/model/todo';

/** How the state of an item or step is drawn and said. */
export const TODO_SIGNS: Readonly<Record<TodoStatus, { icon: string; word: string }>> = {
  pending: { icon: 'circle-large', word: 'To do' },
  in_progress: { icon: 'color-mode', word: 'In progress' },
  completed: { icon: 'check', word: 'Done' },
  cancelled: { icon: 'circle-slash', word: 'Dropped' },
};
