import { z } from 'zod';

export const TodoStatus = z.enum(['pending', 'in_progress', 'completed', 'cancelled']);
export type TodoStatus = z.infer<typeof TodoStatus>;

export const TodoItem = z.object({
  id: z.string().min(1).max(64),
  content: z.string().max(4000),
  status: TodoStatus,
});
export type TodoItem = z.infer<typeof TodoItem>;
