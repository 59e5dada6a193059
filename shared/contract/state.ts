import { z } from 'zod';
import { domain, Nothing, request } from './define';

/**
 * Small JSON values a window remembers: layout, open tabs, drafts, input history. `scope` is `global` or `project`
 * (the open one). At most 256 KB a value.
 */
export const state = domain('state', {
  get: request({
    input: z.object({ scope: z.enum(['global', 'project']), key: z.string().min(1).max(100) }),
    output: z.object({ value: z.unknown() }),
  }),
  set: request({
    input: z.object({
      scope: z.enum(['global', 'project']),
      key: z.string().min(1).max(100),
      value: z.unknown(),
    }),
    output: Nothing,
  }),
});
