import { z } from 'zod';
import type { TaskPort } from '../../agent/task-port';
import { hasFailed, reportText } from '../../agent/task-report';
import { defineTool } from '../define';
import { ALL_MODES } from './lib/access';

/** Seconds that a call may wait at most, and waits when nothing is said. */
const MAX_WAIT_S = 600;
const DEFAULT_WAIT_S = 60;

export const createTaskCollect = (tasks: TaskPort) =>
  defineTool({
    name: 'task_collect',
    effect: 'interact',
    describe: `Get the answer of a background task; waits up to wait_s seconds (default ${DEFAULT_WAIT_S}, at most ${MAX_WAIT_S}) for it.`,
    input: z.object({
      task_id: z.string().min(1).max(128),
      wait_s: z.number().min(0).max(MAX_WAIT_S).optional(),
    }),
    modes: ALL_MODES,
    runsBeside: true,
    subject: () => ({ paths: [] }),
    label: () => 'Collected the answer of a subagent',
    run: async ({ task_id, wait_s = DEFAULT_WAIT_S }, { sessionId, signal }) => {
      const report = await tasks.collect(sessionId, task_id, wait_s * 1000, signal);
      const label =
        report.state === 'ended'
          ? `Collected the answer of ${report.agent}`
          : `Looked at ${report.agent}: ${report.state}`;
      return { text: reportText(report), label, ...(hasFailed(report) ? { isError: true } : {}) };
    },
  });
