import { z } from 'zod';
import { defineTool } from '../define';
import { ALL_MODES } from './lib/access';

export const attemptCompletion = defineTool({
  name: 'attempt_completion',
  effect: 'interact',
  describe: 'Finish the task: `result` is your final answer to the user.',
  input: z.object({ result: z.string().min(1) }),
  modes: ALL_MODES,
  subject: () => ({ paths: [] }),
  label: () => 'Finished',
  run: ({ result }) => Promise.resolve({ text: result }),
});
