import { z } from 'zod';
import type { MemoryPort } from '../../memory/memory-port';
import { defineTool } from '../define';
import { ALL_MODES } from './lib/access';

const DEFAULT_RESULTS = 8;
const MAX_RESULTS = 20;

export const createMemorySearch = (memory: MemoryPort) =>
  defineTool({
    name: 'memory_search',
    effect: 'interact',
    describe: `Search notes and earlier sessions of this project by words. At most max_results (default ${DEFAULT_RESULTS}, at most ${MAX_RESULTS}) hits with path and score 0–1.`,
    input: z.object({
      query: z.string().min(1).max(300),
      max_results: z.int().min(1).max(MAX_RESULTS).optional(),
      min_score: z.number().min(0).max(1).optional(),
    }),
    modes: ALL_MODES,
    subject: () => ({ paths: [] }),
    label: ({ query }) => `Searched the memory for \`${query.replace(/[\s`]+/g, ' ').slice(0, 60)}\``,
    run: ({ query, max_results = DEFAULT_RESULTS, min_score = 0 }, { sessionId }) => {
      const hits = memory.search(sessionId, query, { maxResults: max_results, minScore: min_score });
      const lines = hits.map(({ path, score, snippet }) => `${path} (${score.toFixed(2)}): ${snippet}`);
      return Promise.resolve({ text: lines.length === 0 ? 'Nothing found.' : lines.join('\n') });
    },
  });
