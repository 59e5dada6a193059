import { z } from 'zod';
import { defineTool } from '../define';
import { ALL_MODES } from './lib/access';

export const askUser = defineTool({
  name: 'ask_user',
  effect: 'interact',
  describe: 'Ask the user one question and wait for the answer. Only for what you cannot find out yourself.',
  input: z.object({
    question: z.string().min(1).max(4000),
    options: z.array(z.string().max(500)).max(12).optional(),
  }),
  modes: ALL_MODES,
  subject: () => ({ paths: [] }),
  label: ({ question }) => `Asked: ${question.replace(/\s+/g, ' ').slice(0, 80)}`,
  run: async ({ question, options }, context) => {
    const answer = await context.ask(question, options ?? []);
    return answer === null
      ? { text: 'Nobody answered. Go on with your best judgement and say what you assumed.' }
      : { text: `The user answered: ${answer}` };
  },
});
