import { z } from 'zod';
import { AgentInfo } from '../model/agent';
import { domain, Nothing, request } from './define';

export const agent = domain('agent', {
  /** Agents of the open project, built-in ones first, as the files are now. */
  list: request({
    input: Nothing,
    output: z.object({
      agents: z.array(AgentInfo),
      /** What is wrong in agent files, each as one sentence with file and line. */
      problems: z.array(z.string()),
    }),
  }),
});
