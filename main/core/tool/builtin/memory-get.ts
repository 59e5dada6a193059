import { z } from 'zod';
import type { MemoryPort } from '../../memory/memory-port';
import { defineTool } from '../define';
import { ALL_MODES } from './lib/access';

const DEFAULT_LINES = 200;
const MAX_LINES = 400;

export const createMemoryGet = (memory: MemoryPort) =>
  defineTool({
    name: 'memory_get',
    effect: 'interact',
    describe: `Read what memory_search found, or MEMORY.md: lines (default ${DEFAULT_LINES}, at most ${MAX_LINES}) from from_line on.`,
    input: z.object({
      path: z.string().min(1).max(200),
      from_line: z.int().min(1).optional(),
      lines: z.int().min(1).max(MAX_LINES).optional(),
    }),
    modes: ALL_MODES,
    subject: () => ({ paths: [] }),
    label: ({ path }) => `Read the memory: ${path.slice(0, 60)}`,
    run: ({ path, from_line = 1, lines = DEFAULT_LINES }, { sessionId }) => {
      const all = memory.get(sessionId, path).trimEnd().split('\n');
      const shown = all.slice(from_line - 1, from_line - 1 + lines);
      if (shown.length === 0)
        return Promise.resolve({ text: `${path} has ${all.length} lines.`, isError: true });
      const last = from_line - 1 + shown.length;
      const more = last < all.length ? `\n[lines ${from_line}–${last} of ${all.length}]` : '';
      return Promise.resolve({ text: shown.join('\n') + more });
    },
  });
