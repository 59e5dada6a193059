import { z } from 'zod';
import { STEP_CAPS } from '../../limits';
import type { TaskPort, TaskReport } from '../../agent/task-port';
import { hasFailed, reportText } from '../../agent/task-report';
import { defineTool } from '../define';
import type { ToolResult } from '../types';
import { ALL_MODES } from './lib/access';

const shortGoal = (goal: string): string => goal.replace(/\s+/g, ' ').trim().slice(0, 80);

const ended = (report: TaskReport): ToolResult => ({
  text: reportText(report),
  ...(hasFailed(report) ? { isError: true } : {}),
});

export const createTask = (tasks: TaskPort) =>
  defineTool({
    name: 'task',
    effect: 'interact',
    describe:
      'Give a subagent one self-contained task; only its answer comes back. agent: explore (searches, reads), general ' +
      `(any work) or one of the project; without it at most ${STEP_CAPS.unnamed} steps. Several tasks in one reply run side by ` +
      'side. background returns a task_id at once.',
    input: z.object({
      goal: z.string().min(1).max(20_000),
      agent: z.string().max(60).optional(),
      background: z.boolean().optional(),
      read_only: z.boolean().optional(),
      max_steps: z.int().min(1).max(STEP_CAPS.agent).optional(),
    }),
    modes: ALL_MODES,
    runsBeside: true,
    subject: () => ({ paths: [] }),
    label: ({ goal, agent }) => `${agent ?? 'Subagent'}: ${shortGoal(goal)}`,
    run: async ({ goal, agent, background = false, read_only = false, max_steps }, context) => {
      const task = tasks.start({
        ...{ parentId: context.sessionId, callId: context.callId, goal, readOnly: read_only },
        ...(agent === undefined ? {} : { agent }),
        ...(max_steps === undefined ? {} : { maxSteps: max_steps }),
      });
      // From here on the subagent exists: a stopped parent must stop it too.
      const stop = (): void => task.stop();
      if (!background) context.signal.addEventListener('abort', stop, { once: true });
      if (context.signal.aborted) stop();
      try {
        await context.subagent({ sessionId: task.taskId, agent: task.agent, title: task.title, background });
        if (background)
          return {
            text: `Started in the background. task_id: ${task.taskId}\nGet its answer with task_collect.`,
          };
        return ended(await task.done);
      } finally {
        context.signal.removeEventListener('abort', stop);
      }
    },
  });
